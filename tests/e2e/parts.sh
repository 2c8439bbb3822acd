#!/usr/bin/env bash
# Programs of the corpus that were labelled by hand: assay decompose finds their optimisers, models and inputs on the labelled lines.
. "$(dirname "$0")/lib.sh"
"$python" - "$assay" "$root" "$work" >"$work/found" <<'PY'
import json, pathlib, subprocess, sys
assay, root, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
def lines(path):
    return map(json.loads, path.read_text(encoding="utf-8").splitlines())
code = {r["number"]: r["code"] for name in ("mob", "framework") for r in lines(root / f"share/corpus/{name}.jsonl")}
found = {"optimizer": [0, 0], "model": [0, 0], "input": [0, 0]}
for label in lines(root / "tests/labels/parts.jsonl"):
    program = work / f"{label['number']}.py"
    program.write_text(code[label["number"]], encoding="utf-8")
    told = json.loads(subprocess.run([assay, "decompose", program, "--json"], capture_output=True, text=True).stdout)
    for kind, sums in found.items():
        missed = set(label[kind]) - {p["line"] for p in told if p["part"] == kind}
        sums[0] += len(label[kind]) - len(missed)
        sums[1] += len(label[kind])
        if missed:
            print(f"{program.name}: no {kind} in line {min(missed)}", file=sys.stderr)
for kind, (n, of) in found.items():
    print(kind, n, of, "enough" if of and n >= 0.95 * of else "too few")
PY
cat "$work/found"
for kind in optimizer model input; do check "95 % of the labelled parts: $kind" grep -q "^$kind .* enough" "$work/found"; done
finish
