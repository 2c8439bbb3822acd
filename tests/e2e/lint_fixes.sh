#!/usr/bin/env bash
# Programs run with torch before and after safe fixes; the pre-commit hook runs with try-repo.
. "$(dirname "$0")/lib.sh"
assay=${ASSAY:-$assay}

check "safe fixes keep what programs do" "$python" "$root/tests/e2e/lint_fixes.py" "$assay"

# pre-commit has an environment of its own, made once; if it cannot be made for lack of a network, its test is skipped with a message.
pre_commit=$root/build/env-precommit/bin/pre-commit
if [ ! -x "$pre_commit" ]; then
    python3 -m venv "$root/build/env-precommit" >"$work/venv.log" 2>&1 &&
        "$root/build/env-precommit/bin/pip" install -q pre-commit==4.7.0 >>"$work/venv.log" 2>&1 ||
        { rm -rf "$root/build/env-precommit"; echo "pre-commit cannot be installed here; the hook is not tested: $(tail -1 "$work/venv.log")"; finish; exit; }
fi
mkdir -p "$work/bin" "$work/hooks" "$work/project"
ln -s "$assay" "$work/bin/assay"
export PATH=$work/bin:$PATH PRE_COMMIT_HOME=$work/cache
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t
cp "$root/.pre-commit-hooks.yaml" "$work/hooks/"
(cd "$work/hooks" && git init -q && git add -A && git commit -qm hooks)
cd "$work/project" && git init -q
printf 'import torch\n\nx = torch.zeros(3)\n' >clean.py
printf 'torch\n' >notes.txt
git add -A
expect "the hook lets clean files pass" 0 "Passed" bash -c "cd project && '$pre_commit' try-repo ../hooks assay-lint-system --all-files"
printf 'import torch\nfrom torch.autograd import Variable\n\nx = Variable(torch.zeros(3))\n' >old.py
printf '{"cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "source": ["import torch\\n", "torch.autograd.Variable(torch.zeros(3))"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}\n' >old.ipynb
git add -A
expect "the hook stops a commit" 1 "old.py:4:5" bash -c "cd project && '$pre_commit' try-repo ../hooks assay-lint-system --all-files"
expect "the hook reads notebooks" 1 "old.ipynb:cell 1:2:1" bash -c "cd project && '$pre_commit' try-repo ../hooks assay-lint-system --files old.ipynb"
expect "the hook leaves other files alone" 0 "no files to check" bash -c "cd project && '$pre_commit' try-repo ../hooks assay-lint-system --files notes.txt"
printf '[tool.assay.lint]\nextend-exclude = ["old.*"]\n' >pyproject.toml
expect "the hook honours exclusions" 0 "Passed" bash -c "cd project && '$pre_commit' try-repo ../hooks assay-lint-system --files old.py"
finish
