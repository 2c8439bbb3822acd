#!/usr/bin/env bash
# What is written of the standard's node tests as programs of frameworks, and why the rest is not; what is known of their shapes and rounding,
# and what they give for drawn inputs, as recorded in tests/e2e/node_programs/.
root=$(cd "$(dirname "$0")/../.." && pwd)
[ -d "$root/build/node-tests" ] || "$root/build/env/bin/python" "$root/tools/export-node-tests" "$root/build/node-tests" >/dev/null || exit 1
COMMANDS=$root/tests/e2e/node_programs exec "$root/tests/golden/commands.sh" "$@"
