#!/usr/bin/env bash
# A tenth of tools/faults: hunt, run and reduce with a failing call, and without it afterwards.
. "$(dirname "$0")/../e2e/lib.sh"
need_engines ort
"$python" "$root/tools/faults" --tenth
