#!/usr/bin/env bash
# One campaign of hostile programs among good ones, in the same workers: each good one is right, nothing is left behind. ROUNDS=42 makes a
# thousand hostile ones. Then every escape attempt is made inside a worker of each kind.
. "$(dirname "$0")/lib.sh"
toy=$root/tests/toy
rounds=${ROUNDS:-1}
export ASSAY_HOME=$work/home TMPDIR=$work/tmp
mkdir -p "$ASSAY_HOME/adapters" "$TMPDIR" "$work/hostile"
cp "$toy"/toy.json "$toy"/toy*.py "$ASSAY_HOME/adapters/"
echo secret >"$work/canary"
expect "the toy framework is registered" 0 "toy@" "$assay" targets add toy --python "$python"

# What a program of each kind does before it computes like a good one. None may change anything outside.
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
kind link-results $'here = os.path.join(os.environ["TMPDIR"], "results")\nos.rename(here, here + "-old")\nos.symlink("/etc", here)'
kind pipes $'for i in range(50):\n    path = os.path.join(os.environ["TMPDIR"], f"fifo{i}")\n    if not os.path.exists(path):\n        os.mkfifo(path)'
kind abort $'os.abort()'
kind protocol $'os.write(3, b"garbage" * 1000)'
kind namespaces $'if libc.unshare(0x10000000) == 0:\n    raise SystemExit("unshare")'
here='os.path.join(os.environ["TMPDIR"], "results")'
kind results-rights "os.chmod($here, 0)"
kind later-results "for case in range(120):
    for number in range(3):
        try:
            os.mkfifo(os.path.join($here, f'c{case}j{case + number}a1-out0.bin'))
        except OSError:
            pass"
kind patched 'toy.square = toy.shift = lambda *a: 7'
n_kinds=$(ls "$work/hostile" | wc -l)
models=
for file in "$work"/hostile/*.py; do
    models+="$file,$toy/right.py,"
done

outside() { wc -l </proc/self/mounts && ipcs -m -s -q 2>/dev/null | wc -l; }
outside >"$work/before"
timeout 900 "$assay" hunt --generator corpus --model "${models%,}" --target toy --sandbox required --out "$work/campaign" \
    --cases $((2 * rounds * n_kinds)) --pilots 2 --fail-on never >"$work/hunt.log" 2>&1 &
hunt=$!
while kill -0 $hunt 2>/dev/null; do # control groups are named by the pilot that made them
    pgrep -d ' ' -P "$(pgrep -P $hunt -d ,)" >>"$work/pilots" 2>/dev/null
    sleep 0.1
done
wait $hunt
check "a campaign of hostile and good programs ends" grep -q "^done: $((2 * rounds * n_kinds)) cases" "$work/hunt.log"
outside >"$work/after"
groups_left() {
    tr ' ' '\n' <"$work/pilots" | sort -u | while read -r pilot; do
        find /sys/fs/cgroup -type d -name "assay-$pilot-*" 2>/dev/null
    done
}
workers_left() { pgrep -f "$ASSAY_HOME/adapters"; }

# Odd cases are the good ones. A hostile one that was stopped then computes like a good one and passes; those below cannot pass.
cat >"$work/rows.py" <<'END'
import os, sqlite3, sys
store, folder, rounds = sys.argv[1:]
names = sorted(os.listdir(folder))
ends = {"abort.py": "fail", "protocol.py": "unsure", "link-results.py": "unsure", "results-rights.py": "unsure", "patched.py": "not-applicable"}
n = 0
for at, decision in sqlite3.connect(store).execute("SELECT case_at, decision FROM result ORDER BY case_at"):
    name = names[at // 2 % len(names)]
    wanted = "pass" if at % 2 else ends.get(name, "pass")
    n += 1
    if decision != wanted:
        print(f"case {at}: {'a good one behind ' if at % 2 else ''}{name}: {decision}, expected {wanted}")
        sys.exit(1)
print(f"{n} rows as expected")
sys.exit(n != 2 * int(rounds) * len(names))
END
check "each good one is right, each hostile one held" "$python" "$work/rows.py" "$work/campaign/store.sqlite" "$work/hostile" "$rounds"
check "the canary is as it was" grep -qx secret "$work/canary"
check "no mount and no System V object is left" cmp "$work/before" "$work/after"
check "no control group of a pilot is left" test -s "$work/pilots" -a -z "$(groups_left)"
check "no process of a worker is left" test -z "$(workers_left)"
check "no temporary folder is left" bash -c "! ls '$TMPDIR' | grep -q ."
echo "$((rounds * n_kinds)) hostile programs of $n_kinds kinds (target: 1000 of 20)"

expect "each attempt is held, bounded or stated as not held" 0 "escape process left behind" timeout 600 "$assay" doctor --sandbox
finish
