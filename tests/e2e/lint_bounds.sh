#!/usr/bin/env bash
# Files made to cost much: whatever `assay lint` is given below its size limit, it ends within its budgets of memory and
# steps, says SB902 where they did not suffice, and checks the other files all the same.
set -uo pipefail
cd "$(dirname "$0")/../.."
assay=${ASSAY:-}
for candidate in build/release/assay build/assay build/dev/assay; do
    [ -n "$assay" ] || { [ -x "$candidate" ] && assay=$PWD/$candidate; }
done
[ -n "$assay" ] || { echo "lint_bounds.sh: no program to test"; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 tests/e2e/lint_bounds.py "$assay" "$folder"
