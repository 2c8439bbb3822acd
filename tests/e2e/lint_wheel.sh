#!/usr/bin/env bash
# The wheel has the same bytes when packed twice, installs in a fresh environment without a compiler and without an index,
# lints there, and holds the licences and the list of linked libraries. ASSAY: the program to pack.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
assay=${ASSAY:-build/assay}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n_passed=0
n_failed=0

check() { # NAME CONDITION...
    local name=$1
    shift
    if "$@"; then n_passed=$((n_passed + 1)); else n_failed=$((n_failed + 1)); echo "lint_wheel.sh: $name"; fi
}

tools/make-wheel --assay "$assay" --out "$work/one" >"$work/said" && tools/make-wheel --assay "$assay" --out "$work/two" >/dev/null
wheel=$(echo "$work"/one/*.whl)
check "a wheel is packed" test -f "$wheel"
check "the same bytes each time" cmp -s "$wheel" "$work/two/$(basename "$wheel")"
check "at most 16 MB" test "$(stat -c %s "$wheel")" -le 16000000
python3 -m zipfile -l "$wheel" >"$work/list"
check "licences of what is linked in" grep -q 'licenses/tree-sitter.txt' "$work/list"
check "the list of what is linked in" grep -q 'sboms/assay.cdx.json' "$work/list"
python3 -m venv "$work/env" && "$work/env/bin/pip" install -q --no-index --disable-pip-version-check "$wheel" >"$work/pip" 2>&1
check "a fresh environment installs it" test -x "$work/env/bin/assay"
printf 'import torch\nfrom torch.autograd import Variable\nx = Variable(torch.zeros(3))\n' >"$work/dirty.py"
env -i HOME="$work" PATH="$work/env/bin" "$work/env/bin/assay" lint --isolated --no-cache --output-format concise "$work/dirty.py" >"$work/out"
check "lint says its finding, exit 1" test $? -eq 1
check "the finding" grep -q 'dirty.py:3:5: SB091' "$work/out"
check "rule" grep -q '^SB032' <(env -i HOME="$work" "$work/env/bin/assay" rule SB032)
check "lsp starts" grep -q 'positionEncoding' <(printf 'Content-Length: 75\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}' |
    env -i HOME="$work" timeout 20 "$work/env/bin/assay" lsp 2>/dev/null)
check "a program that is not there" grep -q 'no such file' <(tools/make-wheel --assay "$work/none" --out "$work/three" 2>&1)
echo "$n_passed passed, $n_failed failed"
[ "$n_failed" -eq 0 ]
