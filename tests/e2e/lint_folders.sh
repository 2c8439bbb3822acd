#!/usr/bin/env bash
# Which files lint reads and which settings apply to them: folder links, nested settings, globs and paths in settings files, git, standard input.
. "$(dirname "$0")/lib.sh"
assay=${ASSAY:-$assay}
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t
head='import torch\nfrom torch.autograd import Variable\n'
dirty=$head'x = Variable(torch.zeros(3))\n'

# lint NAME EXIT "PIECE" FOLDER ARGUMENTS...: runs lint in a folder below $work; "!x": the output must not contain x.
lint() {
    local name=$1 code=$2 piece=$3 folder=$4
    shift 4
    if [ "${piece#!}" != "$piece" ]; then
        expect "$name" "$code" "" bash -c 'cd "$1" && shift && "$@"' - "$folder" "$assay" lint --no-cache --output-format concise "$@"
        check "$name (silent)" bash -c 'cd "$1" && piece=$2 && shift 2 && ! "$@" 2>&1 | grep -qF -- "$piece"' - "$work/$folder" "${piece#!}" "$assay" lint --no-cache --output-format concise "$@"
    else
        expect "$name" "$code" "$piece" bash -c 'cd "$1" && shift && "$@"' - "$folder" "$assay" lint --no-cache --output-format concise "$@"
    fi
}
cd "$work" || exit 1

# Links
mkdir -p loop/a/b && printf "$dirty" >loop/a/one.py
ln -s .. loop/a/l1 && ln -s .. loop/a/b/l2 && ln -s . loop/self
ln -s a/one.py loop/link.py
[ "$(cd loop && timeout 20 "$assay" lint --isolated --show-files . | tr '\n' ' ')" = "a/one.py link.py " ] && check "links to folders are not followed" true ||
    check "links to folders are not followed" false
[ "$(cd loop && "$assay" lint --isolated --show-files a a/one.py ./a/one.py "$work/loop/a/one.py" | wc -l)" -eq 1 ] && check "a file named often is there once" true ||
    check "a file named often is there once" false
cp loop/a/one.py loop/target.py && ln -s target.py loop/mended.py && (cd loop && "$assay" lint --isolated -q --fix mended.py >/dev/null)
[ -L loop/mended.py ] && ! grep -q 'Variable(' loop/target.py && check "--fix mends what a link leads to" true || check "--fix mends what a link leads to" false
mkdir -p kinds
printf '[tool.assay.lint]\ntorch-version = 2.4\n' >kinds/pyproject.toml
lint "a version that is a number" 2 'pyproject.toml:2: torch-version: text is expected' kinds .
printf '[tool.assay.lint]\nselect = 3\n' >kinds/pyproject.toml
lint "codes that are a number" 2 'pyproject.toml:2: select: a list of strings is expected' kinds .
printf '[tool.assay.lint]\nper-file-ignores = 3\n' >kinds/pyproject.toml
lint "ignores that are no table" 2 'pyproject.toml:2: lint.per-file-ignores: a table of patterns' kinds .
lint "what is not there is no file" 2 "nosuch: no such file or folder" loop --isolated --show-files nosuch
lint "the path stands once" 2 "nosuch.py: no such file or folder; correct" loop --isolated nosuch.py
lint "a glob that is none" 2 'unclosed "["' loop --isolated --exclude '['

# Nested settings
mkdir -p mono/n/deep mono/other mono/rules-here
printf "$dirty" | tee mono/n/a.py mono/n/deep/b.py mono/other/c.py >/dev/null
printf '[tool.assay.lint]\nignore = ["SB091"]\n' >mono/n/pyproject.toml
lint "the nearest settings hold from above" 1 "!n/" mono .
lint "and only below their folder" 1 "other/c.py:3:5: SB091" mono .
lint "and from elsewhere" 0 "All checks passed" . mono/n
lint "flags win over them" 1 "n/a.py:3:5: SB091" mono --ignore SB011 n
lint "isolated" 1 "n/a.py:3:5: SB091" mono --isolated n
printf '[lint]\nselect = ["SB09"]\n' >given.toml
lint "one file for all" 1 "n/a.py:3:5: SB091" mono --config ../given.toml n
lint "settings shown for a folder" 0 "lint.ignore = SB091  (file)" mono --show-settings n/deep
printf '[hunt]\nseed = 1\n' >mono/n/deep/assay.toml
lint "settings of other commands are none of lint" 0 "All checks passed" mono n/deep
rm mono/n/deep/assay.toml
printf '[tool.assay.lint]\nignore = [\n' >mono/n/pyproject.toml
lint "a nested file that cannot be read" 2 "mono/n/pyproject.toml:" mono .
printf 'this = is no TOML\n' >mono/n/pyproject.toml
lint "a file that is not about assay is left alone" 1 "n/a.py:3:5: SB091" mono .
printf '[tool.assay.lint]\nignore = ["SB091"]\n' >mono/n/pyproject.toml
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do cp mono/n/a.py mono/n/a$i.py && cp mono/n/a.py mono/other/c$i.py; done
one=$(cd mono && "$assay" lint --no-cache -j 1 --output-format concise)
two=$(cd mono && "$assay" lint --no-cache -j 3 --output-format concise)
cold=$(cd mono && "$assay" lint --output-format concise)
warm=$(cd mono && "$assay" lint --output-format concise)
check "workers and the cache change nothing" test "$one" = "$two" -a "$one" = "$cold" -a "$one" = "$warm" -a "$(grep -c SB091 <<<"$one")" -eq 13

# Globs and paths are relative to the folder of the settings file
mkdir -p proj/gen/inner proj/inner proj/my-rules
printf "$dirty" | tee proj/gen/a.py proj/gen/inner/b.py proj/inner/y.py proj/x.py >/dev/null
printf '{"code": "AB001", "name": "zeros", "default": true, "severity": "warning", "pattern": 0, "summary": "s", "explanation": "e", "fix": "f", "checks": [{"find": [{"call": "$c", "path": ["torch.zeros"]}], "report": "$c", "message": "zeros here"}]}' >proj/my-rules/AB001-zeros.json
settings() { printf '[tool.assay.lint]\n%b' "$1" >proj/pyproject.toml; }
settings 'exclude = ["gen/*"]\n'
lint "exclude from the top" 1 "!gen/" proj
lint "exclude from below" 0 "All checks passed" proj/gen
lint "exclude from elsewhere" 1 "!gen/" . proj
settings 'extend-exclude = ["gen"]\n'
lint "extend-exclude from elsewhere" 1 "!gen/" . proj
lint "force-exclude from below" 0 "All checks passed" proj/gen --force-exclude a.py
printf "$dirty" >input.py
lint "standard input under an excluded name" 0 "All checks passed" proj --stdin-filename gen/t.py --force-exclude - <input.py
lint "standard input under another name" 1 "x2.py:3:5: SB091" proj --stdin-filename x2.py --force-exclude - <input.py
settings '[tool.assay.lint.per-file-ignores]\n"inner/*" = ["SB091"]\n'
lint "per-file-ignores from the top" 1 "!inner/" proj inner x.py
lint "per-file-ignores from below" 0 "All checks passed" proj/inner y.py
lint "per-file-ignores by absolute path" 0 "All checks passed" . "$work/proj/inner/y.py"
(cd proj && "$assay" lint --output-format concise >/dev/null)
cp proj/inner/y.py proj/gen/inner/y.py
[ "$(cd proj/gen && "$assay" lint --output-format concise inner/y.py | grep -c SB091)" -eq 1 ] && check "cached reports of another folder" true ||
    check "cached reports of another folder" false
rm -f proj/gen/inner/*.py
settings 'rules = ["my-rules"]\n'
lint "rules from below" 1 "x.py:3:14: AB001" proj/my-rules ../x.py
lint "rules from elsewhere" 1 "proj/x.py:3:14: AB001" . proj/x.py
settings 'baseline = "base.json"\n'
(cd proj && "$assay" lint --no-cache --write-baseline base.json >/dev/null)
lint "a baseline from below" 0 "All checks passed" proj/inner
lint "a baseline by name from below" 0 "All checks passed" proj/inner --isolated --baseline ../base.json ../x.py
settings ''

# PyTorch of the project
lint "a version that is none" 2 'X.Y is expected, got "banana"' proj --torch-version banana x.py

mkdir -p versions/in && printf 'import torch\ny = torch.symeig(x)\n' | tee versions/y.py versions/in/y.py >/dev/null
# requires REQUIREMENT FINDINGS: findings on an API that PyTorch 2.0 removed, in a project with this requirement
requires() {
    printf '[project]\nname = "x"\ndependencies = ["numpy>=3", "%s"]\n' "$1" >versions/pyproject.toml
    check "PyTorch of $1" test "$(cd versions/in && "$assay" lint --no-cache --select SB218 --output-format concise | grep -c SB218)" -eq "$2"
}
requires 'torch>=2.1' 1
requires "torch[opt] ~= 2.1.0; python_version > '1.3'" 1
requires 'torch!=2.1' 0
requires 'torch<2.1' 0
requires 'torchvision>=2.1' 0
requires 'torch>=1.4,<3' 0
printf '[project]\nname = "y"\ndependencies = ["torch>=2"]\n' >versions/in/pyproject.toml
check "the nearest project's PyTorch" test "$(cd versions && "$assay" lint --no-cache --select SB218 --output-format concise | grep -c '^in/y.py:2:5: SB218')" -eq 1

# Definitions in files with other settings are known too
mkdir -p across/shop && printf '[tool.assay.lint]\nselect = ["SB09"]\n' >across/shop/pyproject.toml
printf 'def note(optimizer):\n    print(1)\n' >across/shop/__init__.py
printf 'import torch\nfrom torch import nn\n\nimport shop\n\n\ndef train(loader):\n    net = nn.Linear(2, 2)\n    opt = torch.optim.SGD(net.parameters(), lr=0.1)\n    for x, y in loader:\n        shop.note(opt)\n        nn.functional.mse_loss(net(x), y).backward()\n        opt.step()\n' >across/train.py
lint "summaries cross the settings" 1 "train.py:12:9: SB032" across

# git
mkdir -p repo/sub && cd repo && git init -q
printf "$head" | tee a.py sub/b.py "a b.py" >/dev/null && git add -A && git commit -qm x
printf 'x = Variable(torch.zeros(3))\n' | tee -a a.py "a b.py" sub/b.py >/dev/null
printf "$dirty" | tee "ne ü.py" "$(printf 'tab\there.py')" >/dev/null
git add "$(printf 'tab\there.py')"
cd ..
lint "changed, from below" 1 "../a.py" repo/sub --isolated --changed-since HEAD ../a.py ..
lint "changed, by an absolute path" 1 "SB091" repo/sub --isolated --changed-since HEAD "$work/repo/a.py"
lint "changed, from outside a repository" 1 "SB091" . --isolated --changed-since HEAD repo/a.py
lint "outside a repository" 2 "ot a git repository" . --isolated --changed-since HEAD loop
[ "$(cd repo && "$assay" lint --isolated --no-cache --output-format concise --changed-since HEAD | grep -c SB091)" -eq 5 ] && check "names with unusual bytes" true ||
    check "names with unusual bytes" false

# Only reported findings are fixed or marked
cd repo && git add -A && git commit -qm all && printf 'y = Variable(torch.zeros(4))\n' >>a.py && cp a.py kept.txt && cd ..
lint "one finding is new" 1 "Found 1 finding." repo --isolated --changed-since HEAD a.py
lint "fix what changed" 0 "1 fixed" repo --isolated --changed-since HEAD --fix --show-fixes a.py
check "old lines stay" bash -c 'grep -q "^x = Variable" "$1" && grep -q "^y = torch.zeros(4)" "$1"' - "$work/repo/a.py"
cp repo/kept.txt repo/a.py
lint "mark what changed" 0 "Added 1 ignore" repo --isolated --changed-since HEAD --add-ignore a.py
check "old lines are not marked" bash -c '! grep "^x = " "$1" | grep -q ignore' - "$work/repo/a.py"
(cd repo && git checkout -q a.py && "$assay" lint --isolated --no-cache --write-baseline base.json a.py >/dev/null && cp kept.txt a.py)
lint "fix what is not known" 0 "1 fixed" repo --isolated --baseline base.json --fix --show-fixes a.py
check "known findings stay" grep -q "^x = Variable" "$work/repo/a.py"

# Files that cannot be read; what is printed on stdout and what on stderr
printf 'import torch\n# caf\351\nx = 1\n' >latin.py
printf '# -*- coding: latin-1 -*-\nimport torch\n# caf\351\nx = 1\n' >declared.py
printf 'import torch\nx = (((((' >broken.py
printf 'import torch\nx = 1\n' | iconv -t UTF-16 >wide.py
lint "bytes that are no UTF-8" 0 "1 file not read in full" . --isolated latin.py
lint "and where" 0 "latin.py:2:6: SB901" . --isolated -v latin.py
lint "a declared coding" 0 "!not read" . --isolated declared.py
lint "two files in part" 0 "2 files not read in full" . --isolated broken.py wide.py
lint "marks in standard input" 2 "cannot be written to" . --isolated --add-ignore - <input.py
printf '{"cells": [{"cell_type": "code", "source": "import torch\\ntorch.autograd.Variable(torch.zeros(3))"}]}' >n.ipynb
lint "marks in a notebook" 0 "no comments are written into notebooks" . --isolated --add-ignore n.ipynb
printf '{"metadata": {"language_info": {"name": "R"}}, "cells": [{"cell_type": "code", "source": "import torch\\ntorch.autograd.Variable(torch.zeros(3))"}]}' >r.ipynb
lint "a notebook of another language" 0 "All checks passed" . --isolated r.ipynb
printf "${dirty}y = Variable(x)\n" >left.py
[ "$("$assay" lint --isolated --fix - <left.py 2>&1 >/dev/null)" = "Found 2 findings (1 fixed, 1 remaining)." ] && check "what a fix of standard input leaves" true ||
    check "what a fix of standard input leaves" false
lint "what a diff leaves" 1 "Found 2 findings; 1 would be fixed." . --isolated --diff left.py

# Editors
check "settings in an editor" python3 "$root/tests/e2e/lint_lsp_settings.py" "$assay" "$work/editor"

# Rules by name
expect "a rule in lower case" 0 "SB032" "$assay" rule sb032
expect "a rule by name" 0 "SB061" "$assay" rule training-data-not-shuffled
expect "rules by prefix" 0 "SB033" "$assay" rule SB03
expect "no such rule" 2 'no rule "SB77"' "$assay" rule SB77
finish
