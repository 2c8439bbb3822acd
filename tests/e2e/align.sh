#!/usr/bin/env bash
# The pairs of functions that are part of assay are listed, explained and used to translate issues; a translation contains the helpers
# it needs and is valid Python. Where torch is installed, calls run in the sandbox: one that aborts fails alone.
. "$(dirname "$0")/lib.sh"

"$assay" align list --json >"$work/pairs.json"
check "the list is an array of objects" "$python" -I -c "
import json
rows = json.load(open('$work/pairs.json'))
assert len(rows) > 500 and all(set(r) == {'op', 'a', 'b', 'status', 'adapter', 'evidence'} for r in rows)
assert any(r['a'] == 'torch.nn.functional.pad' and r['status'].startswith('equal') for r in rows)"
expect "a pair is explained" 0 "the same on, among others" "$assay" align show torch.nn.functional.pad
expect "what has no pair" 64 'no pair of "torch.nosuch"' "$assay" align show torch.nosuch
expect "no side of that name" 64 'did you mean "jax"' "$assay" align jaxx
expect "no symbol is named" 64 "the name of one symbol is expected" "$assay" align show
expect "issues are screened with reasons" 0 "issues are kept" "$assay" corpus screen
expect "mirrors of nothing else" 64 'corpus mirrors: "x" is not expected' "$assay" corpus mirrors x
expect "a list of nothing else" 64 'corpus list: "x" is not expected' "$assay" corpus list x
expect "a framework that is no target of translation" 64 'no programs are translated to "toy"' "$assay" corpus screen --to toy

"$assay" mutate --generator transfer -n 200 --out "$work/t" -q
check "each translation is Python without torch" "$python" -I -c "
import ast, json, pathlib
cases = list(pathlib.Path('$work/t').glob('*/case.json'))
programs = [c.with_name('program.py') for c in cases if json.loads(c.read_text())['framework'] == 'keras']
assert len(programs) > 20 and len(cases) > len(programs) + 20, (len(programs), len(cases))
for p in programs:
    for node in ast.walk(ast.parse(p.read_text())):
        names = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ''] if isinstance(node, ast.ImportFrom) else []
        assert not any(n.split('.')[0] == 'torch' for n in names), p"

mkdir "$work/given" "$work/out"
echo '[]' >"$work/given/pool.json"
: >"$work/given/pool.bin"
cat >"$work/given/calls.jsonl" <<'CALLS'
{"key": "a", "symbol": "torch.arange", "args": [3]}
{"key": "b", "symbol": "torch._C._crash_if_csrc_ubsan_nosuch", "args": []}
{"key": "c", "symbol": "torch.zeros", "args": ["x"]}
{"key": "d", "symbol": "torch.serialization.os.abort", "args": []}
{"key": "e", "symbol": "torch.ones", "args": [[2]]}
CALLS
if "$python" -c 'import torch' 2>/dev/null; then
    "$python" -I -B "$root/py/assay_worker/calls.py" torch "$work/given" "$work/out" 2>/dev/null
    check "a call that aborts costs itself" "$python" -I -c "
import json
rows = {r['key']: r for r in map(json.loads, open('$work/out/results.jsonl'))}
assert [rows[k]['outcome'] for k in 'abcde'] == ['ok', 'no-symbol', 'raised', 'died', 'ok'], rows
assert rows['d']['code'] == -6"
fi
finish
