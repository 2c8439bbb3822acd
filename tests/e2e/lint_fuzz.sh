#!/usr/bin/env bash
# Runs the linter's two fuzzers for 5,000 inputs with the settings of `make fuzz`, from the committed corpora alone and one
# seed, so that the run is repeatable. A crash, a hang or a damaged part that is not marked fails it.
set -uo pipefail
cd "$(dirname "$0")/../.."
command -v clang-14 >/dev/null || { echo "lint_fuzz.sh: no clang-14, not run"; echo "0 passed, 0 failed"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
n_passed=0
n_failed=0
for target in lint python; do
    if FUZZ_RUNS=${FUZZ_RUNS:-5000} FUZZ_SEED=1 FUZZ_CORPORA=$folder tools/fuzz $target >"$folder/log" 2>&1; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        tail -20 "$folder/log"
    fi
done
echo "$n_passed passed, $n_failed failed"
[ $n_failed -eq 0 ]
