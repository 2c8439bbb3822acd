#!/usr/bin/env bash
# The sandbox of workers in other surroundings: as a plain user, without namespaces, without Landlock, in a container without privileges,
# with a read-only /sys, a full tmpfs, no home folder. Needs root, to become other users; else only the rows of this user run.
. "$(dirname "$0")/lib.sh"
here=$root/tests/e2e
n_attempts=$(grep -c '^ESCAPE("' "$root/src/os/escape.def")
chmod 755 "$work"
mkdir -p "$work/lib" "$work/root" "$work/plain"
need_engines ort
cp "$assay" "$work/assay"
cp "$here/refuse.py" "$work/"
library=$("$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))["library"])' "$ASSAY_HOME"/targets/ort@*.json)
cp "$library" "$work/lib/"

# A home folder with a native and a Python engine that every user can reach. The native one is the installed one under another path.
make_home() {
    mkdir -p "$1/adapters" "$1/targets" "$1/tmp"
    cp "$root"/tests/toy/toy.json "$root"/tests/toy/toy*.py "$1/adapters/"
    "$python" - "$ASSAY_HOME"/targets/ort@*.json "$1/targets" "$work/lib/${library##*/}" "$open_python" <<'END'
import json, os, sys
source, folder, library, python = sys.argv[1:]
target = json.load(open(source)) | {"library": library, "python": python, "roots": [os.path.dirname(library)]}
json.dump(target, open(os.path.join(folder, os.path.basename(source)), "w"))
END
}
alone() { env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME="$home" ASSAY_HOME="$home" TMPDIR="$home/tmp" "$@"; }
as_plain() { setpriv --reuid 65534 --regid 65534 --clear-groups env -i PATH=/usr/bin:/bin HOME="$home" ASSAY_HOME="$home" TMPDIR="$home/tmp" "$@"; }
refuse() { local what=$1; shift; echo "$open_python $work/refuse.py $what $*"; }

# worn NAME LAYERS_OFF NOT_HELD USER WORDS...: makes every attempt in a worker of each kind, started by USER (alone, as_plain) through WORDS.
worn() {
    local name=$1 off=$2 not_held=$3 user=$4
    shift 4
    [ "$is_whole" = yes ] || not_held='?' # this machine lacks more layers than the row takes away
    (cd "$work" && "$user" timeout 300 "$@" "$work/assay" doctor --sandbox --json >doctor.json 2>doctor.err)
    check "$name: every attempt is held, bounded or stated" "$python" "$here/sandbox_worn.py" "$n_attempts" native,Python "$off" "$not_held" <"$work/doctor.json"
}

open_python=/usr/bin/python3
if [ "$(id -u)" = 0 ]; then
    home=$work/plain
    as_plain $open_python -c '' 2>/dev/null || { echo "no $open_python that a plain user may run: nothing tried"; n_failed=1; finish; exit; }
    make_home "$work/plain"
    chown -R 65534:65534 "$work/plain"
    expect "a plain user registers an engine" 0 "is ready" as_plain "$work/assay" targets add toy --python $open_python
fi
home=$work/root
make_home "$home"
expect "an engine is registered" 0 "is ready" alone "$work/assay" targets add toy --python $open_python
is_whole=$(alone "$work/assay" doctor | grep -c '^on  *sandbox ' | sed 's/^5$/yes/')
expect "without a home folder doctor says what to set" 75 "neither ASSAY_HOME nor HOME is set" env -u HOME -u ASSAY_HOME "$work/assay" doctor
beside="command lines of others,disk bomb in many files,inode bomb"
worn "this user without namespaces" namespaces "$beside" alone $(refuse namespaces)
worn "this user without Landlock" landlock "" alone $(refuse landlock)
expect "a program needs landlock or namespaces" 75 "runs only where its files are confined" \
    alone $(refuse namespaces,landlock) "$work/assay" hunt --generator corpus --model "$root/tests/toy/right.py" --target toy --out "$home/campaign" --cases 1
expect "doctor says what lacking both means" 0 "programs that assay did not write are refused (exit 75)" alone $(refuse namespaces,landlock) "$work/assay" doctor
if [ "$(id -u)" != 0 ] || ! unshare -m true 2>/dev/null; then
    echo "not root, or root of a container: only this user's rows"
    finish
    exit
fi

home=$work/plain
worn "a plain user" cgroup "memory of many processes" as_plain
worn "a plain user without namespaces" namespaces,cgroup "memory of many processes,$beside" as_plain $(refuse namespaces)

# The capabilities that container engines leave root by default, and a root that cannot become another user.
home=$work/root
kept=-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw,+sys_chroot,+mknod,+audit_write,+setfcap
read_only='mount -o remount,ro,bind /sys; for c in /sys/fs/cgroup /sys/fs/cgroup/*; do mountpoint -q $c && mount -o remount,ro,bind $c; done; exec "$@"'
worn "a container, /sys read-only" namespaces,cgroup "memory of many processes,$beside" alone \
    unshare -m sh -c "$read_only" sh setpriv --inh-caps=$kept --bounding-set=$kept $(refuse namespaces)
expect "... is told" 0 "no control group may be made here" alone unshare -m sh -c "$read_only" sh "$work/assay" doctor
worn "root without capabilities" namespaces,limits "?" alone setpriv --inh-caps=-all --bounding-set=-all $(refuse namespaces)
expect "... is told" 75 "root cannot take another identity here" alone setpriv --inh-caps=-all --bounding-set=-all $(refuse namespaces) "$work/assay" doctor
expect "... and hunts nothing" 75 "nothing untrusted runs as root" alone setpriv --inh-caps=-all --bounding-set=-all $(refuse namespaces) \
    "$work/assay" hunt --target ort --out "$home/other" --cases 1

# full COMMAND...: runs it with /dev/shm and $TMPDIR on a full file system.
full() {
    alone unshare -m sh -c 'mount -t tmpfs -o size=64k tmpfs "$TMPDIR" && head -c 1M /dev/zero >"$TMPDIR/fill"; mount --bind "$TMPDIR" /dev/shm; exec "$@"' sh "$@" 2>&1 |
        grep -v "head: "
    return "${PIPESTATUS[0]}"
}
expect "a full tmpfs is told" 75 "0 MiB free; /dev/shm lacks room" full "$work/assay" doctor
expect "a hunt on a full tmpfs says what failed" 75 "No space left on device" full "$work/assay" hunt --target ort --out "$home/full" --cases 1

# Without namespaces no worker can pass through a folder that only root may enter.
home=$work/closed
make_home "$home"
mkdir -m 700 "$home/bin"
cp "$(readlink -f $open_python)" "$home/bin/python3"
expect "an engine whose interpreter only root reaches" 0 "is ready" alone "$work/assay" targets add toy --python "$home/bin/python3"
expect "... is named without namespaces" 75 "toy cannot start: " alone $(refuse namespaces) "$work/assay" doctor --sandbox
expect "... and the native worker is tried" 75 "native held (seccomp" alone $(refuse namespaces) "$work/assay" doctor --sandbox
finish
