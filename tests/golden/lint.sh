#!/usr/bin/env bash
# Every rule's examples and golden folder, mutated training scripts, and the pages of the rules against their data.
# ASSAY names the program; without it the released build is taken, or else that for developers.
set -uo pipefail
cd "$(dirname "$0")/../.."
assay=${ASSAY:-}
for candidate in build/release/assay build/dev/assay; do
    [ -n "$assay" ] || { [ -x "$candidate" ] && assay=$candidate; }
done
[ -n "$assay" ] || { echo "lint.sh: no program to test"; exit 1; }
n_passed=0
n_failed=0

add() { # OUTPUT: its "N passed, N failed"
    local counts
    counts=$(sed -nE 's/^([0-9]+) passed, ([0-9]+) failed.*/\1 \2/p' <<<"$1" | tail -1)
    n_passed=$((n_passed + ${counts% *}))
    n_failed=$((n_failed + ${counts#* }))
    grep -v ' passed, ' <<<"$1"
}

check() { # NAME CONDITION...
    local name=$1
    shift
    if "$@"; then n_passed=$((n_passed + 1)); else n_failed=$((n_failed + 1)); echo "lint.sh: $name"; fi
}

add "$("$assay" rule test tests/golden/lint --isolated 2>&1)"
add "$(python3 tests/golden/lint/mutate.py "$assay" 2>&1)"
for code in $("$assay" rule --isolated | cut -d' ' -f1); do
    check "docs/rules/$code.md is not what the rule says; run tools/lint-pages" \
        cmp -s <("$assay" rule "$code" --markdown --isolated) "docs/rules/$code.md"
done
echo "$n_passed passed, $n_failed failed"
[ "$n_failed" -eq 0 ]
