#!/usr/bin/env bash
# Follows the page of the tutorial "your first rule": the rule, its cases, the failing test, the fix.
. "$(dirname "$0")/lib.sh"
folder=$work
cd "$root" || exit 1
python3 - "$folder" <<'P'
import json, pathlib, re, sys
text = pathlib.Path("docs/tutorials/first-rule.md").read_text()
blocks = re.findall(r"```(json|python)\n(.*?)```", text, re.S)
rule, fires, silent, repair = (b for _, b in blocks)
folder = pathlib.Path(sys.argv[1], "my-rules")
(folder / "AB001").mkdir(parents=True)
(folder / "AB001-uninitialised.json").write_text(rule)
(folder / "AB001" / "fires_model.py").write_text(fires)
(folder / "AB001" / "silent_filled.py").write_text(silent)
data = json.loads(rule)
data["checks"][0]["unless"].append(json.loads(repair))
pathlib.Path(sys.argv[1], "repaired.json").write_text(json.dumps(data))
P
expect() { # EXIT NAME
    "$assay" rule test "$folder/my-rules" --isolated >"$folder/out.txt" 2>&1
    if [ $? -eq "$1" ]; then n_passed=$((n_passed + 1)); else n_failed=$((n_failed + 1)); echo "lint_tutorial.sh: $2"; cat "$folder/out.txt"; fi
}
expect 1 "the test should fail before the repair"
cp "$folder/repaired.json" "$folder/my-rules/AB001-uninitialised.json"
expect 0 "the repaired rule should pass"
printf 'import torch\nx = torch.empty(3)\n' >"$folder/a.py"
"$assay" lint --isolated --no-cache --rules "$folder/my-rules" --fix --unsafe-fixes "$folder/a.py" >/dev/null
if grep -q 'torch.zeros(3)' "$folder/a.py"; then n_passed=$((n_passed + 1)); else n_failed=$((n_failed + 1)); echo "lint_tutorial.sh: no fix"; fi
printf 'import torch as t\nx = t.empty(3)\n' >"$folder/b.py"
"$assay" lint --isolated --no-cache --rules "$folder/my-rules" --fix --unsafe-fixes "$folder/b.py" >/dev/null
if grep -q '^x = t.zeros(3)$' "$folder/b.py"; then n_passed=$((n_passed + 1)); else n_failed=$((n_failed + 1)); echo "lint_tutorial.sh: not the name of the file"; fi
echo "$n_passed passed, $n_failed failed"
[ "$n_failed" -eq 0 ]
