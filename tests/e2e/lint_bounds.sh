#!/usr/bin/env bash
# Costly files: on any file below its size limit `assay lint` stays within its budgets of memory and steps, reports SB902 if they are used up,
# and still checks the other files.
. "$(dirname "$0")/lib.sh"
python3 "$root"/tests/e2e/lint_bounds.py "$assay" "$work"
