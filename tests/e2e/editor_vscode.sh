#!/usr/bin/env bash
# The extension for VS Code: built with the pinned packages, its tests with the real language server, and packed. Left out, with the
# reason, where npm is missing or reaches no registry.
. "$(dirname "$0")/lib.sh"
built=$root/build/vscode # packages stay there from one run to the next
left_out() { echo "left out, $1"; finish; exit; }
command -v npm >/dev/null && command -v node >/dev/null || left_out "there is no npm here"
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || left_out "node is older than 20: $(node --version)"

mkdir -p "$built"
rm -rf "$built"/{src,test,dist,assay.vsix}
cp -r "$root"/editors/vscode/. "$root/LICENSE" "$built"
cd "$built" || exit 1
if ! cmp -s package-lock.json .installed; then
    if ! npm ci --ignore-scripts --no-audit --no-fund >"$work/npm" 2>&1; then
        grep -qE 'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH' "$work/npm" && left_out "npm reaches no registry"
        check "npm ci: $(tail -3 "$work/npm")" false
        finish
        exit
    fi
    cp package-lock.json .installed
fi
check "it is built" npm run --silent build
check "its tests, with the real server" env ASSAY="$assay" npm test --silent
check "it is packed" npm run --silent package -- --out assay.vsix
python3 -m zipfile -l assay.vsix >"$work/list"
for name in extension/package.json extension/LICENSE.txt extension/readme.md extension/dist/extension.js extension/node_modules/vscode-languageclient/License.txt; do
    check "the package holds $name" grep -qi "^$name " "$work/list"
done
for name in node_modules/typescript extension/src extension/test; do
    check "the package is without $name" bash -c "! grep -q '$name/' '$work/list'"
done
check "at most 2 MB" test "$(stat -c %s assay.vsix)" -le 2000000
finish
