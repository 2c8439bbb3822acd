# Shared by the end-to-end scripts: checks of a command's exit code and of a piece of its output.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
assay=${ASSAY:-$root/build/assay} # ASSAY: another build
python=$root/build/env/bin/python
export ASSAY_HOME=${ASSAY_HOME:-$root/build/home} NO_COLOR=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n_passed=0
n_failed=0

# expect NAME EXIT_CODE "PIECE OF OUTPUT" COMMAND...: stdout and stderr are searched together.
expect() {
    local name=$1 code=$2 piece=$3 got output
    shift 3
    output=$(cd "$work" && "$@" 2>&1)
    got=$?
    if [ "$got" = "$code" ] && grep -qF -- "$piece" <<<"$output"; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        printf 'FAILED %s: %s\n  exit %s, expected %s; expected to read: %s\n' "$name" "$*" "$got" "$code" "$piece"
        head -5 <<<"$output" | cut -c1-300 | sed 's/^/  | /'
    fi
}

# check NAME CONDITION...: CONDITION is a command that must succeed.
check() {
    local name=$1
    shift
    if "$@" >"$work/check.log" 2>&1; then
        n_passed=$((n_passed + 1))
    else
        n_failed=$((n_failed + 1))
        printf 'FAILED %s: %s\n' "$name" "$*"
        tail -5 "$work/check.log" | cut -c1-300 | sed 's/^/  | /'
    fi
}

# split_cases PREFIX SUFFIX: reads what `assay run` prints of several cases; puts what it says of each into PREFIX NAME SUFFIX.out and the
# exit code that the case alone would give into .code. NAME is the case's path with "_" for "/".
split_cases() {
    awk -v prefix="$1" -v suffix="$2" '
        function file(path, kind) { gsub("/", "_", path); return prefix path suffix kind }
        BEGIN { codes["agrees"] = 0; codes["fails"] = 1; codes["inconclusive"] = 2 }
        /^cases:$/ { in_list = 1; next }
        in_list && $1 in codes { print codes[$1] >file($2, ".code"); next }
        /^== [^ ]+$/ { part = file($2, ".out"); printf "" >part; next }
        part { print >part }'
}

# Registers the engines of build/env as targets, once.
need_engines() {
    local engine
    for engine in "$@"; do
        ls "$ASSAY_HOME"/targets/"$engine"@*.json >/dev/null 2>&1 ||
            "$assay" targets add "$engine" --python "$root/build/env/bin/python" >/dev/null ||
            { echo "cannot register $engine"; n_failed=$((n_failed + 1)); }
    done
}

# has_framework NAME: registers a framework in an environment of its own, which is made if it is missing; fails if it cannot be installed.
has_framework() {
    ls "$ASSAY_HOME"/targets/"$1"@*.json >/dev/null 2>&1 || "$assay" targets add "$1" >"$work/add.log" 2>&1 ||
        { echo "left out, it cannot be installed here: $1"; return 1; }
}

# interpreter TARGET: the Python of a registered framework.
interpreter() { "$python" -c 'import glob, json, sys; print(json.load(open(glob.glob(sys.argv[1])[0]))["python"])' "$ASSAY_HOME/targets/$1@*.json"; }

# print_alone INTERPRETER FIRST FOLDER PROGRAM...: puts into FOLDER/PROGRAM what each prints without assay, after the Python statement FIRST.
print_alone() {
    "$1" - "${@:2}" <<'PY' 2>/dev/null
import os, runpy, sys
exec(sys.argv[1])
for path in sys.argv[3:]:
    if os.fork() == 0:
        os.dup2(os.open(f"{sys.argv[2]}/{path}", os.O_WRONLY | os.O_CREAT), 1)
        runpy.run_path(path, run_name="__main__")
        sys.stdout.flush()
        os._exit(0)
    os.wait()
PY
}

# plant FRAMEWORK FAULT: makes $work/FRAMEWORK-FAULT, an ASSAY_HOME with the targets of this one, in which the framework has a fault of
# tests/planted/framework ("none": none). Its description is the registered one with another interpreter, since probing each fault anew
# takes as long as finding it.
plant() { # FRAMEWORK FAULT
    local home=$work/$1-$2 interpreter
    mkdir -p "$home/targets"
    cp "$ASSAY_HOME"/targets/*.json "$home/targets/"
    interpreter=$("$python" - "$home" "$home"/targets/"$1"@*.json <<'PY'
import json, pathlib, sys
home, path = map(pathlib.Path, sys.argv[1:])
target = json.loads(path.read_text())
print(target["python"])
planted = {"python": str(home / "env/bin/python"), "roots": [str(home / "env"), *target["roots"]]}
path.write_text(json.dumps(target | planted))
PY
    ) || return
    "$interpreter" -m venv --without-pip "$home/env"
    local packages=("$home"/env/lib/python3*/site-packages)
    cp "$root/tests/planted/framework/planted.py" "${packages[0]}/"
    "$interpreter" -c 'import os, sysconfig; print(os.path.realpath(sysconfig.get_path("purelib")))' >"${packages[0]}/packages.pth"
    echo "import planted" >"${packages[0]}/planted.pth"
    echo "$2" >"${packages[0]}/fault.txt"
}

# Starts a mock server of language models at $url, which behaves as the name of the model says and logs requests in $work/mock/requests.
start_model() {
    export OPENAI_API_KEY=sk-never-to-be-shown
    mkdir -p "$work/mock"
    "$python" "$root/tests/llm/mock_server.py" "$work/mock" &
    trap "kill $! 2>/dev/null; rm -rf '$work'" EXIT
    for _ in $(seq 100); do [ -f "$work/mock/port" ] && break; sleep 0.1; done
    url=http://127.0.0.1:$(cat "$work/mock/port")
}

finish() {
    echo "$n_passed passed, $n_failed failed"
    [ $n_failed -eq 0 ]
}
