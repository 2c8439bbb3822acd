#!/usr/bin/env bash
# What `assay lint` and `assay lsp` have in memory, and how long a start takes: editors and hooks start them all day.
set -uo pipefail
cd "$(dirname "$0")/../.."
assay=${ASSAY:-}
for candidate in build/release/assay build/assay build/dev/assay; do
    [ -n "$assay" ] || { [ -x "$candidate" ] && assay=$PWD/$candidate; }
done
[ -n "$assay" ] || { echo "lint_start.sh: no program to test"; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 tests/e2e/lint_start.py "$assay" "$folder"
