#!/usr/bin/env bash
# Hostile programs among good ones, in workers as the pool starts them: each good one is right, nothing is left behind. ROUNDS=50 makes a
# thousand of them. Then every escape attempt in the place of a worker of each kind.
. "$(dirname "$0")/lib.sh"
toy=$root/tests/toy
rounds=${ROUNDS:-1}
export ASSAY_HOME=$work/home TMPDIR=$work/tmp
mkdir -p "$ASSAY_HOME/adapters" "$TMPDIR" "$work/hostile"
cp "$toy"/toy.json "$toy"/toy*.py "$ASSAY_HOME/adapters/"
echo secret >"$work/canary"
expect "the toy framework is registered" 0 "toy@" "$assay" targets add toy --python "$python"

# One program a kind: what it does before it computes as a good one does. None may change anything outside.
kind() { printf 'import ctypes, os, socket, mmap\nimport toy\nlibc = ctypes.CDLL(None)\n%s\na = toy.tensor(1, 2)\ntoy.output(toy.square(toy.shift(a, 1)))\n' "$2" >"$work/hostile/$1.py"; }
try() { printf 'try:\n    %s\n    raise SystemExit("out: %s")\nexcept OSError:\n    pass' "$1" "$2"; }
kind daemon $'if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        os.setsid()\n        import time\n        time.sleep(600)\n    os._exit(0)'
kind children $'for i in range(300):\n    try:\n        if os.fork() == 0:\n            import signal\n            signal.pause()\n    except OSError:\n        break'
kind write-canary "$(try "open('$work/canary', 'w')" written)"
kind read-canary "$(try "open('$work/canary').read()" read)"
kind remove-canary "$(try "os.unlink('$work/canary')" removed)"
kind home "$(try "open(os.path.expanduser('~root/x'), 'w')" home)"
kind system "$(try "open('/usr/lib/x', 'w')" system)"
kind mode "$(try "os.chmod('/usr/bin/env', 0o4755)" mode)"
kind owner "$(try "os.chown('/usr/bin/env', 0, 0)" owner)"
kind times "$(try "os.utime('/usr/bin/env')" times)"
kind attributes "$(try "os.setxattr('/usr/bin/env', 'user.x', b'x')" attributes)"
kind tcp "$(try "socket.socket()" tcp)"
kind everybody "$(try "os.kill(-1, 9)" everybody)"
kind shared-memory $'if libc.shmget(0, 4096, 0o1600) != -1:\n    raise SystemExit("shmget")'
kind reserve $'try:\n    mmap.mmap(-1, 100 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)\n    raise SystemExit("100 GiB")\nexcept (OSError, MemoryError):\n    pass'
kind folders $'os.chdir(os.environ["TMPDIR"])\nfor i in range(2000):\n    if not os.path.exists("d"):\n        os.mkdir("d")\n    os.chdir("d")'
kind link-results $'here = os.path.join(os.environ["TMPDIR"], "results")\ntry:\n    os.rename(here, here + "-old")\n    os.symlink("/etc", here)\nexcept OSError:\n    pass'
kind pipes $'for i in range(50):\n    path = os.path.join(os.environ["TMPDIR"], f"fifo{i}")\n    if not os.path.exists(path):\n        os.mkfifo(path)'
kind abort $'os.abort()'
kind protocol $'os.write(3, b"garbage" * 1000)'
kind namespaces $'if libc.unshare(0x10000000) == 0:\n    raise SystemExit("unshare")'
n_kinds=$(ls "$work/hostile" | wc -l)

mounts() { wc -l </proc/self/mounts; }
before="$(mounts) $(ipcs -m 2>/dev/null | wc -l)"
for _ in $(seq "$rounds"); do
    for file in "$work"/hostile/*.py; do
        name=$(basename "$file" .py)
        output=$(cd "$work" && "$assay" run "$file" --target toy --sandbox required 2>&1)
        case $name in
        abort | protocol | link-results) check "$name costs its own case only" true ;; # any verdict, as long as assay goes on
        *) check "$name is held" grep -q "levels .* pass" <<<"$output" || printf '%s\n' "$output" | head -5 ;;
        esac
        expect "a good one behind $name" 0 "levels               toy@" "$assay" run "$toy/right.py" --target toy --sandbox required
    done
done
check "the canary is as it was" grep -qx secret "$work/canary"
check "no mount and no System V object is left" test "$before" = "$(mounts) $(ipcs -m 2>/dev/null | wc -l)"
check "no temporary folder is left" bash -c "! ls '$TMPDIR' | grep -q ."
echo "$((rounds * n_kinds)) hostile programs of $n_kinds kinds (target: 1000 of 20)"

expect "each attempt is held, bounded or stated as not held" 0 "escape process left behind" timeout 600 "$assay" doctor --sandbox
finish
