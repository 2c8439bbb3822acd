#!/usr/bin/env bash
# Every defect listed in docs/bugs still shows on the pinned engines: its reproducer exits 1. One that no longer does is fixed upstream, or
# was never one; either way the list is wrong. The page links each folder once, and its table counts them.
. "$(dirname "$0")/lib.sh"
page=$root/docs/bugs/README.md
export python work
run() { # FOLDER: its exit code and output to files
    timeout 120 "$python" "$1/reproduce.py" >"$work/${1##*/}.out" 2>&1
    echo $? >"$work/${1##*/}.code"
}
export -f run
printf '%s\0' "$root"/docs/bugs/*/ | xargs -0 -P "$(nproc)" -I{} bash -c 'run "$(dirname {}.)"'
shows() { # FOLDER
    cat "$work/$1.out"
    [ "$(cat "$work/$1.code")" = 1 ] && grep -qF "the bug is there" "$work/$1.out"
}
for script in "$root"/docs/bugs/*/reproduce.py; do
    folder=$(basename "$(dirname "$script")")
    check "$folder: one row" test "$(grep -cF "| [${folder%%-*}]($folder/) |" "$page")" -eq 1
    check "$folder" shows "$folder"
done
n=$(ls "$root"/docs/bugs/*/reproduce.py | wc -l)
check "rows are folders" test "$(grep -c '^| \[[0-9]' "$page")" -eq "$n"
check "the table's sum" test "$(sed -n 's/^| all | \([0-9]*\) |.*/\1/p' "$page")" -eq "$n"
check "the engines' sum" test "$(awk -F' [|] ' '/^\| all / { exit } /^\| [^|]* \| [0-9]+ \| [0-9]+ \|$/ { n += $2 } END { print n }' "$page")" -eq "$n"
finish
