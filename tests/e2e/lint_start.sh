#!/usr/bin/env bash
# Which libraries `assay lint` and `assay lsp` load, and how long they take to start: editors and hooks start them often.
. "$(dirname "$0")/lib.sh"
python3 "$root"/tests/e2e/lint_start.py "$assay" "$work"
