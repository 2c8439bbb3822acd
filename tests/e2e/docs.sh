#!/usr/bin/env bash
# Every "sh run" block of the commands' pages works as shown.
. "$(dirname "$0")/lib.sh"
need_engines ort
for page in "$root"/docs/commands/*.md; do
    awk '/^```sh run/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$page" >"$work/block.sh"
    [ -s "$work/block.sh" ] || continue
    mkdir -p "$work/run"
    check "docs/commands/$(basename "$page")" bash -c "cd '$work/run' && PATH='$root/build':\$PATH bash -e '$work/block.sh'"
    rm -rf "$work/run"
done
finish
