#!/usr/bin/env bash
# Runs a tenth of tools/faults: hunt, run and reduce with a failing call, then without it.
. "$(dirname "$0")/../e2e/lib.sh"
need_engines ort
"$python" "$root/tools/faults" --tenth
