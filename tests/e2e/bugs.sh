#!/usr/bin/env bash
# Every defect listed in docs/bugs still shows on the pinned engines: its reproducer exits 1. One that no longer does is fixed upstream, or
# was never one; either way the list is wrong.
. "$(dirname "$0")/lib.sh"
for script in "$root"/docs/bugs/*/reproduce.py; do
    expect "$(basename "$(dirname "$script")")" 1 "the bug is there" timeout 120 "$python" "$script"
done
finish
