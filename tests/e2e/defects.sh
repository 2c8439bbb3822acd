#!/usr/bin/env bash
# Every defect of defects/ shows in the releases it names: its script exits 1 in the release it was judged on (target), in the first and
# the last that have it (first_bad, shows_in), and 0 in the first without it (fixed_in), and "assay run" of its case folder fails. A release
# that is not installed is counted as skipped, and so is a script that names an instruction set that the processor lacks; any other exit
# code is a failure. If a script caps the instruction set ("instructions"), "assay run", which has no cap, may pass on a processor with
# newer ones: that is a skip too, and so is one that is not judged because a sum of bytes may saturate on this processor.
. "$(dirname "$0")/lib.sh"
need_engines ort openvino onnxoptimizer onnxslim onnxsim onnx-version-converter torch
export assay work root

# The environment of a release holds the engine and what it requires; its scripts make their models with the onnx of build/env.
mkdir "$work/with-onnx"
packages=$(dirname "$("$python" -c 'import onnx, os; print(os.path.dirname(onnx.__file__))')")
for name in onnx ml_dtypes typing_extensions.py google; do
    ln -s "$packages/$name" "$work/with-onnx/"
done

# Each line: what, folder, release or target, interpreter (for a case: the cap of its script) or "-", expected exit code, and the
# module to import before a fork, with Keras's backend, or "-": none where the script says something about its environment first.
"$python" - >"$work/plan" <<'PY'
import json, os, pathlib, re
home, root = pathlib.Path(os.environ["ASSAY_HOME"]), pathlib.Path(os.environ["root"])
def shared(folder):
    text = (root / "defects" / folder / "reproduce.py").read_text(encoding="utf-8")
    said = re.sub(r'os.environ(.setdefault\("TF_CPP_MIN_LOG_LEVEL", "3"\)|\["KERAS_BACKEND"\] = "(tensorflow|numpy)")', "", text)
    found = re.search(r"^ *import (torch|tensorflow|keras)\b", text, re.M)
    if not found or re.search(r"os\.(environ|exec)|subprocess", said):
        return "-"
    if '"KERAS_BACKEND"] = "numpy"' in text:
        return "keras:numpy"
    if "torch.onnx.export(" in text:
        return "torch.onnx._internal.exporter._core"
    return "torch._inductor.compile_fx" if "torch.compile(" in text else found[1]
def script(folder, release, expected):
    description = home / "targets" / f"{release}.json"
    python = json.loads(description.read_text(encoding="utf-8"))["python"] if description.exists() else "-"
    print("script", folder, release, python, expected, "-" if python == "-" else shared(folder))
for path in sorted((root / "defects").glob("*/defect.json")):
    row, folder = json.loads(path.read_text(encoding="utf-8")), path.parent.name
    judged_on = row["target"].split("/")[0]
    engine = judged_on.split("@")[0]
    expected = {f"{engine}@{row[name].removesuffix(' or before')}": 1 for name in ("first_bad", "shows_in") if name in row}
    expected |= {judged_on: 1} | ({f"{engine}@{row['fixed_in']}": 0} if "fixed_in" in row else {})
    for release, code in expected.items():
        script(folder, release, code)
    # The case runs in the release it was judged on if installed, else in the last that shows the defect.
    shown = [judged_on, f"{engine}@{row['shows_in']}"]
    installed = [release for release in shown if (home / "targets" / f"{release}.json").exists()]
    if row["assay_run"] == "fails" and installed:
        target = row["target"].replace(judged_on, installed[0])
        print("case", folder, target, row.get("instructions", "-"), 1, "-")
PY

log_of() { echo "$work/$1-$2-${3//\//-}"; } # WHAT FOLDER RELEASE
script() { # WHAT FOLDER RELEASE INTERPRETER
    local log
    log=$(log_of "$@")
    if [ "$4" != - ]; then
        "$4" -c 'import importlib.util as util; exit(util.find_spec("onnx") is None)' || export PYTHONPATH=$work/with-onnx
        timeout 150 "$4" "$root/defects/$2/reproduce.py"
    fi >"$log.out" 2>&1
    echo $? >"$log.code"
}
cases() { # TARGET FOLDER...: one command for all, whose engine starts once
    local target=$1 log
    shift
    cd "$root/defects" || exit
    if [ $# -gt 1 ]; then
        "$assay" run "$@" --target "$target" --quiet 2>&1 | split_cases "$work/case-" "-${target//\//-}"
    else
        log=$(log_of case "$1" "$target")
        "$assay" run "$1" --target "$target" --quiet >"$log.out" 2>&1
        echo $? >"$log.code"
    fi
}
export -f script cases log_of split_cases

# Scripts of torch, TensorFlow and Keras share an interpreter that has imported it, with the variables that the scripts set. Not those of JAX, which
# starts threads.
export TF_CPP_MIN_LOG_LEVEL=3
awk '$6 != "-" { print $6, $4 }' "$work/plan" | sort -u | while read -r module interpreter; do
    backend=tensorflow
    [[ $module != *:* ]] || backend=${module#*:}
    awk -v key="$module $interpreter" '$6 " " $4 == key { print $1, $2, $3 }' "$work/plan" | while read -r what folder release; do
        echo "$root/defects/$folder/reproduce.py $(log_of "$what" "$folder" "$release")"
    done | KERAS_BACKEND=$backend "$interpreter" "$root/tests/e2e/forked_scripts.py" "${module%:*}" "$(nproc)" 150
done
unset TF_CPP_MIN_LOG_LEVEL
{
    awk '$1 == "case" { of[$3] = of[$3] " " $2 } END { for (target in of) print "cases", target of[target] }' "$work/plan" | sort
    awk '$1 == "script" && $6 == "-"' "$work/plan" | sed 's/^/script /'
} | xargs -P "$(nproc)" -L 1 bash -c '"$@"' _

is_saturating() { ! grep -q vnni /proc/cpuinfo; }
n_skipped=0
why_skipped() { # WHAT CAP_OR_PYTHON LOG: nothing when it counts
    case "$1 $2 $(cat "$3.code")" in
    "script - "*) echo "not installed" ;;
    script*" 2") grep "^cannot be checked here: .* lacks " "$3.out" ;;
    "case - 0") is_saturating && grep -qE "^  reference .* unsure" "$3.out" && echo "sums of u8 x s8 are not judged on a processor without VNNI" ;;
    "case - "*) ;;
    case*" 0") echo "not shown without a cap at $2 by this processor" ;;
    esac
}
is_as_said() { # LOG EXPECTED
    cat "$1.out"
    [ "$(cat "$1.code")" = "$2" ] && { [[ $2 = 0 || $1 = */case-* ]] || grep -qF "the bug is there" "$1.out"; }
}
while read -r what folder release python_or_cap expected _; do
    log=$(log_of "$what" "$folder" "$release")
    why=$(why_skipped "$what" "$python_or_cap" "$log")
    if [ -n "$why" ]; then
        echo "skipped: $folder: $what in $release: $why"
        n_skipped=$((n_skipped + 1))
    else
        check "$folder: $what in $release" is_as_said "$log" "$expected"
    fi
done <"$work/plan"
echo "$n_skipped skipped"
finish
