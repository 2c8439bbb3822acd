#!/usr/bin/env bash
# Applies the tutorials' code blocks to a copy of the tree, builds it, and runs their commands.
. "$(dirname "$0")/lib.sh"
need_engines ort
copy=$work/assay
mkdir -p "$copy/build"
(cd "$root" && git ls-files -co --exclude-standard | tar cf - -T -) | tar xf - -C "$copy"
ln -s "$root/build/third_party" "$copy/build/third_party"

# apply PAGE: carries out each "create FILE", "append FILE" and "insert-before TEXT FILE" with the block after it.
apply() {
    awk -v copy="$copy" '
        /^<!-- (create|append|insert-before) / {
            line = $0; sub(/^<!-- /, "", line); sub(/ -->$/, "", line)
            split(line, words, " "); verb = words[1]
            file = line; sub(/.* /, "", file)
            text = line; sub(/^[a-z-]+ "/, "", text); sub(/" [^ ]*$/, "", text)
            next
        }
        /^```c$/ && verb { in_block = 1; block = ""; next }
        /^```$/ && in_block {
            path = copy "/" file
            if (verb == "create") printf "%s", block > path
            else if (verb == "append") printf "%s", block >> path
            else {
                out = ""; done = 0
                while ((getline l < path) > 0) {
                    if (!done && index(l, text) == 1) { out = out block; done = 1 }
                    out = out l "\n"
                }
                close(path)
                if (!done) print "no line begins with " text " in " file
                printf "%s", out > path
            }
            close(path); in_block = 0; verb = ""; next
        }
        in_block { block = block $0 "\n" }' "$1"
}

# commands PAGE: prints the blocks marked "run".
commands() { awk '/^<!-- run/ { on = 1; next } on && /^```sh$/ { inside = 1; next } /^```$/ { if (inside) on = inside = 0 } inside' "$1"; }

for page in "$root"/docs/tutorials/first-operator.md "$root"/docs/tutorials/first-oracle.md; do
    check "$(basename "$page"): blocks apply" apply "$page"
done
check "the tree with both builds" bash -c "cd '$copy' && cmake --preset dev >/dev/null && cmake --build build/dev --target assay"
for page in "$root"/docs/tutorials/first-operator.md "$root"/docs/tutorials/first-oracle.md; do
    commands "$page" >"$work/commands.sh"
    check "$(basename "$page"): has commands" test -s "$work/commands.sh"
    check "$(basename "$page"): its case passes" bash -c "cd '$copy' && PYTHON='$python' bash -e '$work/commands.sh'"
done
finish
