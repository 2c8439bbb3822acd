#!/usr/bin/env bash
# diffuse with a language model, which is a server of ours: replies are kept in cassettes, pilots read them, a recorded campaign is replayed byte
# for byte without a server, and whatever fails in the server, the rules continue and one message says so.
. "$(dirname "$0")/lib.sh"
need_engines torch
start_model
n_asked() { wc -l <"$work/mock/requests"; }
mutate() { "$assay" mutate --generator diffuse -n "$n" --seed 4 "$@"; }
hunt() { # OUT PILOTS FLAGS...
    local out=$1 pilots=$2
    shift 2
    "$assay" hunt --generator diffuse --target torch --cases "$cases" --seed 4 --pilots "$pilots" --out "$out" "$@"
}
programs() { (cd "$1" && for f in */program.py; do echo "$f"; cat "$f"; done); }
rows() { sqlite3 "$1/store.sqlite" "select case_at, hex(content), hex(case_id), kind, hex(keys) from result order by case_at"; }

n=12
expect "programs of a model's replies" 0 "12 mutants" mutate --strategy yanhui --llm "$url" --llm-model programs --llm-cassettes tapes --out live
check "each index asked once" test "$(n_asked)" = 12
check "most are the model's" test "$(grep -l "backend='aot_eager')$" "$work"/live/*/program.py | wc -l)" -ge 6
check "a reply without a program says so" grep -q "no-program" -r "$work/live" --include=case.json
expect "from the cassettes" 0 "12 mutants" mutate --strategy yanhui --llm cassette --llm-model programs --llm-cassettes tapes --out again
check "byte for byte" diff <(programs "$work/live") <(programs "$work/again")
check "without a request" test "$(n_asked)" = 12
expect "one in four asks by default" 0 "12 mutants" mutate --llm "$url" --llm-model programs --llm-cassettes tapes --strategy random --out quarter
check "a prompt that was answered is not asked again" test "$(n_asked)" = 12
check "three of twelve are the model's" test "$(grep -l "llm bucket" "$work"/quarter/*/case.json | wc -l)" = 3
for strategy in fuzzgpt-fs no-structure no-error no-rules; do
    n=8
    expect "$strategy asks" 0 "mutant" mutate --strategy $strategy --llm "$url" --llm-model programs --llm-cassettes "tapes-$strategy" --out "live-$strategy"
    check "$strategy: each index has its own prompt" test "$(find "$work/tapes-$strategy" -name '*.json' | wc -l)" = 8
done
n=6
expect "a budget of requests" 0 "the budget of requests for the language model is used up" mutate --strategy yanhui --llm "$url" --llm-model programs --llm-requests 2 --out short --llm-cassettes few
check "two requests and no more" test "$(find "$work/few" -name '*.json' | wc -l)" = 2
expect "no server" 0 "6 mutants" mutate --strategy yanhui --llm http://127.0.0.1:9 --llm-tries 1 --llm-cassettes none --out nobody
expect "it is said twice: what failed, and that it is over" 0 "2" bash -c "'$assay' mutate --generator diffuse -n 9 --seed 4 --strategy yanhui --llm http://127.0.0.1:9 --llm-tries 1 --llm-cassettes none --out nobody2 2>&1 | grep -c warning"
expect "a wrong key" 0 "mutants are made without a language model from here on" mutate --strategy yanhui --llm "$url" --llm-model unauthorised --llm-cassettes none --out unauthorised

cases=8
expect "a campaign that asks" 0 "8 cases" hunt one 2 --strategy yanhui --llm "$url" --llm-model always --llm-cassettes "$work/reel" --fail-on never
expect "the same from the cassettes, with one pilot" 0 "8 cases" hunt two 1 --strategy yanhui --llm cassette --llm-model always --llm-cassettes "$work/reel" --fail-on never
rows "$work/one" >"$work/one.rows"
rows "$work/two" >"$work/two.rows"
check "eight cases" test "$(wc -l <"$work/one.rows")" = 8
check "cases, what made them and keys are the same" diff "$work/one.rows" "$work/two.rows"
n=8
expect "the same cases, only written" 0 "8 mutants" mutate --strategy yanhui --llm cassette --llm-model always --llm-cassettes "$work/reel" --out written
check "all are the model's" test "$(grep -l 'llm bucket=.* program' "$work"/written/*/case.json | wc -l)" = 8
check "and those that the hunt ran" diff <(sed -n 's/.*"content": "\(.*\)",/\1/p' "$work"/written/*/case.json) <(cut -d'|' -f2 "$work/one.rows" | tr A-F a-f)
cases=4
expect "a server that answers garbage: the rules go on" 0 "4 cases" hunt garbage 2 --llm "$url" --llm-model garbage --llm-tries 1 --llm-cassettes "$work/garbage" --fail-on never
expect "one that is down is said" 0 "this case is made without it" hunt down 2 --llm "$url" --llm-model down --llm-tries 1 --llm-cassettes "$work/garbage" --fail-on never
check "no key is shown" bash -c "! grep -rq never-to-be-shown '$work' --include=*.json --include=*.log --include=*.jsonl"

# docs/tutorials/one-bug.md: its blocks in their order; one that is marked "fails" exits 1.
awk '/^<!-- run/ { n++; fails = /fails/; next } n && /^```sh$/ { inside = 1; next } /^```$/ { inside = 0 }
     inside { print > ("'"$work"'/block" n (fails ? ".fails" : ".runs")) }' "$root/docs/tutorials/one-bug.md"
pieces=("abs on uint8" "bucket=bool" "rshift: Expected input tensor" "backend=\"eager\"" "rshift: Expected input tensor to have an integral dtype" "written raises TorchRuntimeError")
mkdir "$work/bin"
ln -s "$assay" "$work/bin/assay"
for i in 1 2 3 4 5 6; do
    block=$(ls "$work/block$i".*)
    code=0
    [ "${block##*.}" = runs ] || code=1
    expect "one-bug.md, block $i" $code "${pieces[i - 1]}" env PATH="$work/bin:$PATH" PYTHON="$python" bash -e "$block"
done
finish
