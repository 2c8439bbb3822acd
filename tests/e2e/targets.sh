#!/usr/bin/env bash
# assay targets: its list, what a full probe finds and keeps, and tests of adapters.
. "$(dirname "$0")/lib.sh"
need_engines ort openvino onnxoptimizer torch
registered=$(ls "$ASSAY_HOME"/targets/ort@*.json | head -1)
mkdir -p "$work/home/targets"
cp "$registered" "$work/home/targets/"
all=$ASSAY_HOME
export ASSAY_HOME=$work/home
fake="/usr/bin/python3 -I $root/tests/fake/assay_worker/__main__.py"

expect "add says that it is ready" 0 "is ready" "$assay" targets add ort --python "$python"
check "add is quick: it asks for no operator" bash -c "! grep -q operators '$work'/home/targets/ort@*.json"
expect "probe tells what ran" 0 " operators, " "$assay" targets probe ort
expect "list tells it again" 0 " operators, " "$assay" targets list
expect "probe of no engine" 64 "no engine is called" "$assay" targets probe orrt
check "what was found is kept by operator and dtype" "$python" - "$assay" <<'PY'
import json, subprocess, sys
listed = json.loads(subprocess.run([sys.argv[1], "targets", "--json"], capture_output=True, check=True).stdout)
(ort,) = [row for row in listed if row["engine"] == "ort"]
probe = ort["installed"][0]["probe"]
assert probe["import_ms"] >= 0 and probe["fork_works"] is True, probe
rows = probe["operators"]
assert len(rows) >= 165 and sum("accepted" in row for row in rows.values()) >= 165
assert {"float", "double", "float16", "int32"} <= set(rows["Relu"]["accepted"]), rows["Relu"]
assert "bfloat16" in rows["Relu"]["unsupported"] and "reason" in rows["Relu"], rows["Relu"]
assert "string" in rows["Identity"]["accepted"], rows["Identity"]
PY

expect "the native worker keeps the protocol" 0 "14 passed, 0 failed" "$assay" targets test ort
export ASSAY_HOME=$all
expect "a Python worker does" 0 "14 passed, 0 failed" "$assay" targets test openvino
expect "a converter does" 0 "14 passed, 0 failed" "$assay" targets test onnxoptimizer
expect "a stranger's worker does" 0 "14 passed, 0 failed" "$assay" targets test --worker "$fake good 3"
expect "one that does not is told of" 1 "FAILED ignores keys that it does not know: " "$assay" targets test --worker "$fake strict-keys 3"
expect "one without a hello ends the trial" 1 "0 passed, 1 failed" "$assay" targets test --worker "$fake no-hello 3"
check "each verb answers in JSON, and nothing else" "$python" - "$assay" "$fake" "$python" "$work/json-home" <<'PY'
import json, os, subprocess, sys
assay, fake, python, home = sys.argv[1:]
def ask(rc, *words):
    done = subprocess.run([assay, "targets", *words, "--json"], capture_output=True, env={**os.environ, "ASSAY_HOME": home})
    assert done.returncode == rc, done
    return json.loads(done.stdout)
(added,) = ask(0, "add", "ort", "--python", python)
assert added["engine"] == "ort" and added["version"], added
(probed,) = ask(0, "probe", "ort")
assert " operators, " in probed["summary"], probed
tried = ask(1, "test", "--worker", f"{fake} strict-keys 3")
assert tried["n_failed"] == sum(not check["passed"] for check in tried["checks"]) > 0, tried
assert all(check["passed"] == (check["failure"] == "") for check in tried["checks"]), tried
assert ask(64, "add")["kind"] == "USAGE"
PY
expect "a command that is none" 75 "no-such-program" "$assay" targets test --worker "no-such-program 3"

# A registered interpreter without the engine: some cases are refused before it starts, the others fail to import.
sed 's/"python": *"[^"]*"/"python": "\/usr\/bin\/python3"/' "$all"/targets/torch@*.json >"$work/torch.json"
mkdir -p "$work/without/targets"
cp "$work/torch.json" "$work/without/targets/torch@2.13.0.json"
expect "a target that starts for no case ends the hunt" 75 "torch@2.13.0/eager ran none of" \
    env ASSAY_HOME="$work/without" "$assay" hunt --target torch/eager --cases 60 --seed 11 --pilots 1 --quiet --out without-torch

# A hunt of other CPUs stands on what QEMU computes: one that is known to be wrong is refused.
"$assay" mutate lenet5 -n 1 --seed 3 --out "$work/lenet" -q
if [ -x /usr/bin/qemu-x86_64 ]; then
    if qemu-x86_64 --version | grep -q 'version [0-9]\.'; then
        expect "an emulator that computes wrongly" 75 "emulates wrongly: install qemu-user 10.0 or newer" "$assay" run "$work/lenet/000000" --target ort/all-avx2
    else
        expect "an emulated CPU with AVX2" 0 "ort@1.32.0/all-avx2  agrees" "$assay" run "$work/lenet/000000" --target ort/all-avx2
    fi
    expect "an emulated CPU" 0 "/all-sse4  agrees" "$assay" run "$work/lenet/000000" --target ort/all-sse4
fi
expect "neither name nor command" 64 "--worker COMMAND" "$assay" targets test
finish
