#!/usr/bin/env bash
# A tenth of tools/faults: hunt, run and reduce with a failing call, and without it afterwards.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
exec "$root/build/env/bin/python" "$root/tools/faults" --tenth
