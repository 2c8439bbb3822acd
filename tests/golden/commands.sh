#!/usr/bin/env bash
# The whole output of commands, as recorded in tests/golden/commands/*.txt: lines "$ COMMAND", each followed by what it prints and, unless it is 0, its
# [exit code]. Commands of one file share a folder and run without engines. Long output is recorded as its sum alone.
#
#   commands.sh [--write] [NAME...]     --write records anew (read the difference before you commit it); NAME: only these files
#
# ASSAY names the program, COMMANDS another folder of such files.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
folder_of_files=${COMMANDS:-$root/tests/golden/commands}
program=${ASSAY:-}
for candidate in "$root/build/release/assay" "$root/build/dev/assay"; do
    [ -n "$program" ] || { [ -x "$candidate" ] && program=$candidate; }
done
[ -n "$program" ] || { echo "commands.sh: no program to test"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$program" "$work/bin/assay"
# mask: leaves out of what a campaign says what differs from run to run and from machine to machine.
cat >"$work/bin/mask" <<'EOF'
#!/bin/sh
exec sed -E "/sandbox/d; s/20..-..-..T..:..:..Z/TIME/g; s/(_ms|_runs)\": [0-9]+/\1\": 0/; s/in [0-9]+ runs/in N runs/; s:$PWD:PLACE:g"
EOF
chmod +x "$work/bin/mask"
n_passed=0
n_failed=0

# replay FILE: prints its commands, each with what it prints now.
replay() {
    local line code folder
    folder=$work/$(basename "$1" .txt)
    mkdir "$folder"
    while IFS= read -r line; do
        [ "${line:0:2}" = '$ ' ] || continue
        printf '%s\n' "$line"
        (cd "$folder" && env -i PATH="$work/bin:$PATH" HOME="$folder" ASSAY_HOME="$folder/home" ROOT="$root" BUILD="$(dirname "$program")" NO_COLOR=1 LC_ALL=C.UTF-8 TZ=UTC \
            bash -o pipefail -c "${line:2}") 2>&1 </dev/null
        code=$?
        [ $code -eq 0 ] || echo "[$code]"
    done <"$1"
}

write=
[ "${1:-}" != --write ] || { write=yes; shift; }
[ $# -gt 0 ] || set -- $(cd "$folder_of_files" && ls -- *.txt)
for name; do
    while [ "$(jobs -pr | wc -l)" -ge "$(nproc)" ]; do wait -n; done
    replay "$folder_of_files/${name%.txt}.txt" 2>&1 | sed "s:$work:WORK:g" >"$work/${name%.txt}.now" &
done
wait
for name; do
    file=$folder_of_files/${name%.txt}.txt now=$work/${name%.txt}.now
    if [ "$write" ]; then
        cp "$now" "$file"
    elif diff -u --label recorded --label now "$file" "$now" >"$work/difference"; then
        n_passed=$((n_passed + $(grep -c '^\$ ' "$file")))
    else
        n_failed=$((n_failed + 1))
        echo "FAILED ${file#"$root"/}"
        head -40 "$work/difference" | cut -c1-300
    fi
done
echo "$n_passed passed, $n_failed failed"
[ $n_failed -eq 0 ]
