#!/usr/bin/env bash
# What `assay lint` and `assay lsp` have in memory, and how long a start takes: editors and hooks start them all day.
. "$(dirname "$0")/lib.sh"
python3 "$root"/tests/e2e/lint_start.py "$assay" "$work"
