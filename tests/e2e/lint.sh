#!/usr/bin/env bash
# assay lint from the outside: exit codes, formats, fixes, files found and left out, baselines, git, bad input.
. "$(dirname "$0")/lib.sh"
folder=$work
here=$root
cd "$folder" || exit 1
ok() { n_passed=$((n_passed + 1)); }
bad() { n_failed=$((n_failed + 1)); echo "lint.sh: $1"; }

# try NAME EXIT TEXT ARGUMENTS...: checks the exit code, and that the output contains TEXT ("": any output, "!x": must not contain x)
try() {
    local name=$1 code=$2 text=$3 out rc
    shift 3
    out=$("$assay" lint --no-cache "$@" 2>&1)
    rc=$?
    if [ $rc -ne "$code" ]; then bad "$name: exit $rc, not $code: ${out:0:300}"; return; fi
    case $text in
    !*) grep -qF -- "${text#!}" <<<"$out" && bad "$name: holds ${text#!}" || ok ;;
    "") ok ;;
    *) grep -qF -- "$text" <<<"$out" && ok || bad "$name: no \"$text\" in: ${out:0:300}" ;;
    esac
}

clean='import torch\nx = torch.zeros(3)\n'
dirty='import torch\nfrom torch.autograd import Variable\nx = Variable(torch.zeros(3))\n'
dirty2=$dirty
printf "$clean" >clean.py
printf "$dirty" >dirty.py
try "a clean file" 0 "All checks passed" clean.py
try "a finding" 1 "SB091" dirty.py
try "exit zero" 0 "SB091" --exit-zero dirty.py
try "unknown code" 2 "SB77" --select SB77 dirty.py
try "unknown flag" 2 "did you mean --select" --selct SB0 dirty.py
try "a missing path" 2 "none.py: no such file or folder" none.py
try "a missing path is no pass" 2 "!All checks passed" none.py clean.py
try "silent" 1 "!SB091" -s dirty.py
for format in concise full grouped json json-lines junit sarif github gitlab rdjson azure pylint; do
    try "format $format" 1 "SB091" --output-format $format dirty.py
done
# a finding that depends on a call in another file names that call, also if it comes from the cache
W="$here/tests/golden/lint/SB022/fires_model_in_a_dict"
mkdir witness && cp "$W"/*.py witness/ && touch witness/pyproject.toml
for format in full json sarif; do
    try "witness in $format" 1 "run.py" --output-format $format --select SB022 witness/engine.py witness/run.py
done
for round in cold warm; do
    "$assay" lint --cache-dir witness/.cache --select SB022 witness 2>&1 | grep -q "run.py:15:1: called from here" && ok || bad "witness, $round"
done
# given alone: with callers of the project the same answer, cold and warm; without them, or isolated, none
try "given alone" 0 "!SB022" --select SB022 witness/engine.py
try "isolated" 0 "!SB022" --isolated --callers project --select SB022 witness/engine.py
for round in cold warm; do
    "$assay" lint --callers project --cache-dir witness/.cache2 --select SB022 witness/engine.py 2>&1 | grep -q "run.py:15:1: called from here" && ok || bad "callers, $round"
done
sed -i 's/engine\./other./g; s/from engine/from other/; s/import engine/import other/' witness/run.py
"$assay" lint --callers project --cache-dir witness/.cache2 --select SB022 witness/engine.py >/dev/null 2>&1 && ok || bad "callers, the caller changed"
rm -r witness
for format in json sarif gitlab rdjson; do
    "$assay" lint --no-cache --exit-zero --output-format $format dirty.py | python3 -c 'import json, sys; json.load(sys.stdin)' && ok || bad "$format is no JSON"
done
"$assay" lint --no-cache --exit-zero --output-format junit dirty.py | python3 -c 'import sys, xml.dom.minidom as m; m.parseString(sys.stdin.buffer.read())' && ok || bad "junit is no XML"
try "output file" 1 "" -o report.txt dirty.py
grep -q SB091 report.txt && ok || bad "nothing in the output file"
try "statistics" 1 "1  SB091" --statistics dirty.py
try "diff" 1 "+x = torch.zeros(3)" --diff dirty.py
grep -q Variable\( dirty.py && ok || bad "--diff changed the file"
cp dirty.py fixed.py
try "fix" 0 "1 fixed" --fix --show-fixes fixed.py
grep -q '^x = torch.zeros(3)$' fixed.py && ok || bad "the fix was not made"
cp dirty.py fixed.py
try "exit non-zero on fix" 1 "" --fix --exit-non-zero-on-fix fixed.py
cp dirty.py marked.py
try "add ignore" 0 "Added 1" --add-ignore marked.py
try "ignored then" 0 "All checks passed" marked.py
try "per file" 0 "All checks passed" --per-file-ignores "dirty.py:SB09" dirty.py
try "unfixable" 0 "!+x" --diff --unfixable SB091 dirty.py
try "write baseline" 0 "" --write-baseline base.json dirty.py
try "baseline" 0 "All checks passed" --baseline base.json dirty.py
printf 'y = Variable(x)\n' >>dirty.py
try "new beside the baseline" 1 "Found 1 finding" --baseline base.json dirty.py
out=$("$assay" lint --no-cache - <clean.py) && ok || bad "standard input: $out"
out=$(printf "$dirty" | "$assay" lint --no-cache --output-format concise --stdin-filename web.py -)
grep -q '^web.py:3:5' <<<"$out" && ok || bad "name of standard input: $out"
out=$(printf "$dirty" | "$assay" lint --no-cache --fix - )
grep -q '^x = torch.zeros(3)$' <<<"$out" && ok || bad "fixed standard input: $out"

mkdir -p tree/.venv tree/build tree/pkg tree/skipped
for d in .venv build pkg skipped; do cp clean.py tree/$d/a.py; done
printf '[project]\nname = "x"\n\n[tool.assay.lint]\nselect = ["SB09"]\n' >tree/pyproject.toml
git init -q tree && printf 'skipped/\n' >tree/.gitignore
(cd tree && "$assay" lint --show-files) >list.txt
[ "$(cat list.txt)" = pkg/a.py ] && ok || bad "files found: $(tr '\n' ' ' <list.txt)"
(cd tree && "$assay" lint --show-files --respect-gitignore=false | grep -q skipped) && ok || bad "ignored files are left out anyway"
(cd tree && "$assay" lint --show-settings | grep -q 'lint.select = SB09  (file)') && ok || bad "settings shown"
(cd tree && "$assay" lint --show-settings --isolated | grep -q 'lint.select = -  (unset)') && ok || bad "isolated"
printf '[tool.assay.lint]\nselct = ["SB09"]\n' >tree/pyproject.toml
(cd tree && "$assay" lint >/dev/null 2>../e.txt)
[ $? -eq 2 ] && grep -q 'did you mean "select"' e.txt && ok || bad "unknown setting: $(cat e.txt)"
printf '' >tree/pyproject.toml
cp "$folder/clean.py" tree/pkg/b.py
(cd tree && git add -A && git -c user.name=t -c user.email=t@t commit -qm x && printf "$dirty" >pkg/b.py && cp pkg/b.py pkg/new.py)
(cd tree && "$assay" lint --no-cache --output-format concise --changed-since HEAD) >changed.txt
[ "$(grep -c SB091 changed.txt)" -eq 2 ] && ok || bad "changed since: $(cat changed.txt)"

for i in 1 2 3 4 5 6 7 8 9 10 11 12; do cp "$folder/marked.py" "tree/pkg/m$i.py"; printf "$dirty" >"tree/pkg/d$i.py"; done
one=$(cd tree && "$assay" lint --no-cache -j 1 --output-format concise)
two=$(cd tree && "$assay" lint --no-cache -j 3 --output-format concise)
[ "$one" = "$two" ] && [ -n "$one" ] && ok || bad "one worker and three differ"
cold=$(cd tree && "$assay" lint --output-format concise)
warm=$(cd tree && "$assay" lint --output-format concise)
[ "$cold" = "$one" ] && [ "$warm" = "$one" ] && [ -d tree/.assay_cache ] && ok || bad "the cache changes the answer"

printf 'import torch\nx = (((((' >broken.py
try "damage is shown when asked" 0 "SB901" -v broken.py
try "damage is quiet" 0 "!SB901" broken.py
head -c 3000000 /dev/zero | tr '\0' 'x' >big.py
try "too large" 1 "SB902" big.py
printf '{"cells": torch' >n.ipynb
try "no notebook" 1 "SB902" n.ipynb
try "a bad file does not stop the others" 1 "SB091" n.ipynb dirty.py
head -c 20000 /dev/urandom >random.py
try "any bytes" 0 "" --no-prefilter --select SB0 random.py
python3 -c 'print("import torch\nx = " + "[" * 10000 + "]" * 10000)' >deep.py
try "deep brackets" 0 "" deep.py
mkdir rules && printf '{"code": "AB001"}' >rules/AB001-x.json
try "a wrong rule file" 2 "AB001-x.json: line 1" --rules rules clean.py

printf '{"code": "AB001", "name": "n", "summary": "s", "explanation": "e", "fix": "f", "checks": [{"find": [{"cal": "$c"}], "report": "$c", "message": "m"}]}' >rules/AB001-x.json
try "a rule with an unknown predicate" 2 'AB001-x.json:1:101: unknown predicate "cal", did you mean "call"?' --rules rules clean.py
try "an unknown code" 2 '--select: no rule has a code that begins with "ZZ9"' --select ZZ9 clean.py
printf 'import torch\n# caf\351 \377\376\nx = 1\n' >latin.py
printf 'import torch\0\nx = \0 1\n' >nul.py
mkdir -p folder.py
mkfifo pipe.py
printf 'import torch\nimport circle2\n' >circle1.py
printf 'import torch\nimport circle1\n' >circle2.py
try "invalid UTF-8" 0 "All checks passed" latin.py
printf 'import torch\nclass A[T = int, *Ts = tuple[int]]:\n    pass\ndef f[T = dict[str, int]](x: T, y=[1]) -> T:\n    return x\ntype X[T = int] = list[T]\n' >defaults.py
try "defaults of type parameters are read" 0 "!SB901" -v defaults.py
printf 'import torch\nfrom torch.autograd import Variable\nclass A:\n    x = Variable(torch.zeros(3)) + "a\0b"\n' >nul2.py
mkdir many && for i in $(seq 40); do cp dirty.py "many/d$i.py"; done && cp nul2.py many/a.py
try "a finding beside a NUL byte costs no other file" 1 "!SB902" -j2 --min-confidence low --select ALL --output-format concise many
try "NUL bytes" 0 "SB901" -v nul.py
try "a circle of imports" 0 "All checks passed" circle1.py circle2.py
try "a pipe by name" 1 "is no regular file" pipe.py
try "bad files and a good one" 2 "dirty.py:3:5: SB091" --output-format concise none.py latin.py nul.py big.py deep.py n.ipynb pipe.py circle1.py dirty.py
rm pipe.py
printf 'import torch\n' >closed.py && chmod 000 closed.py
if [ "$(id -u)" -eq 0 ]; then # root can read every file: run as another user
    chmod 755 . && out=$(python3 -c 'import os, subprocess, sys
os.setgid(65534); os.setuid(65534)
sys.exit(subprocess.run(sys.argv[1:]).returncode)' "$assay" lint --isolated --no-cache --output-format concise closed.py latin.py 2>&1)
    rc=$?
else
    out=$("$assay" lint --isolated --no-cache --output-format concise closed.py latin.py 2>&1)
    rc=$?
fi
[ $rc -eq 1 ] && grep -q '^closed.py:1:1: SB902 .*ermission' <<<"$out" && ok || bad "an unreadable file: exit $rc: $out"
try "quiet" 1 "!Found" -q dirty.py
printf "$dirty2" >fixonly.py
try "fix only" 0 "Fixed 1 finding." --fix-only --isolated fixonly.py

printf '{"cells": [{"cell_type": "code", "source": ["%%%%time\\n", "import torch\\n", "from torch.autograd import Variable\\n", "s = \\"caf\\u00e9\\"\\n", "x = Variable(torch.zeros(3))\\n", "!ls"], "outputs": []}, {"cell_type": "markdown", "source": "x = Variable(torch.zeros(3))"}]}' >fix.ipynb
sed 's/Variable(torch.zeros(3))\\n/torch.zeros(3)\\n/' fix.ipynb >fixed.ipynb
try "fixes in a notebook" 0 "1 fixed" --fix fix.ipynb
cmp -s fix.ipynb fixed.ipynb && ok || bad "the fix of a notebook changed more: $(cat fix.ipynb)"
"$assay" lint --isolated --no-cache --exit-zero --output-format sarif dirty.py n.ipynb | python3 "$here/tests/e2e/lint_sarif.py" 3 && ok || bad "sarif"

mkdir -p project/shop
printf 'from .steps import note\n' >project/shop/__init__.py
printf 'import train\n\n\ndef note(optimizer):\n    print(1)\n' >project/shop/steps.py
printf 'import torch\nfrom torch import nn\n\nimport shop\n\n\ndef train(loader):\n    net = nn.Linear(2, 2)\n    opt = torch.optim.SGD(net.parameters(), lr=0.1)\n    for x, y in loader:\n        shop.note(opt)\n        nn.functional.mse_loss(net(x), y).backward()\n        opt.step()\n' >project/train.py
(cd project && "$assay" lint --isolated --no-cache --output-format concise train.py; true) | grep -q '^train.py:12:9: SB032' && ok || bad "a file given singly does not see what it imports"
[ "$(cd project && "$assay" lint --isolated --no-cache --output-format concise shop)" = "All checks passed." ] && ok || bad "what is only imported is reported"
(cd project && "$assay" lint --isolated --no-cache --output-format concise --stdin-filename train.py - <train.py; true) | grep -q '^train.py:12:9: SB032' && ok || bad "standard input with a name does not see its project"
(cd project && "$assay" lint --isolated --no-cache --fix --unsafe-fixes . >/dev/null) && grep -q '^        opt.zero_grad()' project/train.py && ok || bad "a fix that another file's knowledge asks for"

mapfile -t own < <(cd "$here" && { find py tools bench tests share -name '*.py' -not -path 'tests/golden/*'; grep -lE '^#!.*python' tools/* bench/* 2>/dev/null; } | sort)
(cd "$here" && "$assay" lint --no-cache --no-prefilter "${own[@]}") >own.txt && [ ${#own[@]} -gt 20 ] && ok || bad "assay's own Python: $(head -5 own.txt)"

if true; then
    out=$(python3 "$here/tests/e2e/lint_lsp.py" "$assay" --no-timing) && ok || bad "language server: $out"
fi
printf "import torch\n\n\ndef f(model, x):\n    return model(x)\n" >layer.py
for layer in tree names types cfg defuse summaries; do
    "$assay" lint --dump $layer layer.py >layer.txt && [ -s layer.txt ] && ok || bad "dump of $layer"
done
echo "$n_passed passed, $n_failed failed"
[ "$n_failed" -eq 0 ]
