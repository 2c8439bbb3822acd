#!/usr/bin/env bash
# Files made to cost much: whatever `assay lint` is given below its size limit, it ends within its budgets of memory and
# steps, says SB902 where they did not suffice, and checks the other files all the same.
. "$(dirname "$0")/lib.sh"
python3 "$root"/tests/e2e/lint_bounds.py "$assay" "$work"
