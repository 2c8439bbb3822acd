#!/usr/bin/env bash
# The file of known defects: a hunt meets a real one of OpenVINO (029), and a bug that the project's file names fails neither the hunt nor the reports, until its entry expires.
. "$(dirname "$0")/lib.sh"
need_engines openvino
id=c503f12e14
hunt() { # OUT FLAGS...
    local out=$1
    shift
    "$assay" hunt --target openvino --model op:ReduceL1 --cases 4 --seed 1 --out "$out" "$@"
}
known() { # LINES of one entry
    { printf '[[known]]\n' && printf '%s\n' "$@"; } >"$work/assay-known.toml"
}
export -f hunt
export assay

expect "without a file it fails the hunt" 1 "done: 4 cases, 1 bug here" hunt plain
expect "what its cases reach is counted" 0 "4 cases" "$assay" ops ReduceL1 --reach --out plain
check "and not nothing" bash -c "cd '$work' && '$assay' ops ReduceL1 --reach --out plain | grep -qE '^rank +7 +0 +[1-7] '"

known "key = \"$id\"" 'version = ">=2020"' 'reason = "reported"' 'expires = "9999-12-31"' 'url = "https://example.org/29"'
expect "the file of the working folder" 0 "1 of them is named in the file of known defects and fails no run" hunt file
expect "its line does not call it new" 0 "    [S1] $id" bash -c "hunt lines 2>&1 | grep -v NEW"
expect "as JSON: the bug" 0 '"state":"known","severity":"S1","reason":"reported (https://example.org/29)"' hunt json --json
expect "as JSON: the numbers" 0 '"bugs_new":0,"bugs_known":1,"bugs_named":1' hunt json2 --json
expect "bugs tells the reason" 0 "known: reported (https://example.org/29)" "$assay" bugs --out plain
expect "bugs counts it" 0 "1 bug, 1 of them known" "$assay" bugs --out plain
expect "bugs --json has the state" 0 '"state": "known"' "$assay" bugs --out plain --json
expect "JUnit skips it" 0 'failures="0" skipped="1"' "$assay" report --all --format junit --out plain
check "the store keeps its own state" bash -c "cd / && '$assay' bugs --out '$work/plain' --json | grep -qF '\"state\": \"confirmed\"'"

mv "$work/assay-known.toml" "$work/other.toml"
expect "no file of that name: it fails again" 0 'failures="1"' "$assay" report --all --format junit --out plain
expect "a file is named" 0 "1 of them known" "$assay" bugs --out plain --known other.toml
printf 'known = "other.toml"\n' >"$work/assay.toml"
mkdir "$work/below"
expect "a setting names it, from its own folder" 0 "1 of them known" bash -c "cd below && '$assay' bugs --out ../plain"
rm "$work/assay.toml"

known 'target = "openvino/*"' 'class = "wrong-*"' 'ops = "Reduce*"' 'reason = "a family"'
expect "a pattern" 0 "known: a family" "$assay" bugs --out plain
known 'ops = "Conv*"' 'reason = "another"'
expect "what is not named fails the hunt" 1 "done: 4 cases" hunt unnamed
expect "an entry that names nothing is told on demand" 0 "assay-known.toml:1: names no bug here: another" "$assay" bugs --out plain -v
check "and only then" bash -c "cd '$work' && ! '$assay' bugs --out plain 2>&1 | grep -q 'names no bug'"

known "key = \"$id\"" 'reason = "reported"' 'expires = 2026-01-31'
expect "an expired entry lets the hunt fail" 1 "assay-known.toml:1: expired on 2026-01-31" hunt expired
expect "and is reported with its reason" 0 "names no bug any more: reported; take it out, or give it a later date" "$assay" bugs --out plain

while IFS='|' read -r name lines message; do
    printf '%b' "$lines" >"$work/assay-known.toml"
    expect "$name: hunt" 64 "$message" hunt never
    expect "$name: bugs" 64 "$message" "$assay" bugs --out plain
done <<'ROWS'
an unknown key|[[known]]\nkey = "x"\nreasn = "r"\n|assay-known.toml:3: unknown key "reasn", did you mean "reason"?
neither key nor pattern|[[known]]\nreason = "r"\n|assay-known.toml:1: the entry names no bug
no reason|[[known]]\nkey = "x"\n|assay-known.toml:1: the entry lacks its "reason"
no date|[[known]]\nkey = "x"\nreason = "r"\nexpires = "31.1.2027"\n|assay-known.toml:4: "expires": a date such as "2027-01-31" is expected
no range|[[known]]\nkey = "x"\nreason = "r"\nversion = "1.20"\n|assay-known.toml:4: "version": comparisons with
no TOML|[[known\n|assay-known.toml:1: not TOML
ROWS
rm "$work/assay-known.toml"
check "nothing was started" test ! -e "$work/never"
expect "a file that is not there" 64 "absent.toml" hunt never --known absent.toml
expect "a wrong file as JSON" 64 '"exit_code":64' "$assay" bugs --out plain --known absent.toml --json
finish
