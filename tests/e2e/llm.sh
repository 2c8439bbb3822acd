#!/usr/bin/env bash
# The client of language models with a server that has every failure: which requests are retried, and that no key is ever shown.
. "$(dirname "$0")/lib.sh"
export ASSAY_HOME=$work/home
start_model
ping() { "$assay" llm ping --llm "$url" --llm-model "$@"; }

expect "it answers" 0 "7 tokens in, 5 out, 1 tries: ready" ping good
expect "Anthropic's messages" 0 "3 tokens in, 1 out" env ANTHROPIC_API_KEY=another-long-key "$assay" llm ping --llm "$url" --llm-model good --llm-provider anthropic
for status in 408 409 429 500 502 503 529; do
    expect "$status passes" 0 "3 tries: ready" ping "again-2-$status"
done
expect "too often" 75 "status 503: busy (2 tries)" ping again-9-503 --llm-tries 2
expect "an exhausted quota is not tried again" 75 "no money (1 tries)" ping quota
expect "a wrong request is not tried again" 75 "status 400: no such parameter (1 tries)" ping wrong
expect "the server says not to" 75 "not now (1 tries)" ping never
expect "a wrong key" 64 "status 401: wrong key: Bearer [key] (1 tries)" ping unauthorised
expect "a connection that breaks" 75 "(2 tries)" ping down --llm-tries 2
expect "half an answer" 75 "(2 tries)" ping half --llm-tries 2
expect "a slow server is left in time" 75 "tries)" timeout 20 "$assay" llm ping --llm "$url" --llm-model slow --llm-seconds 2 --llm-tries 1
expect "an answer of 9 MiB" 75 "longer than 8 MiB" ping huge --llm-tries 1
expect "garbage" 65 "no JSON" ping garbage
expect "nothing" 65 "no JSON" ping empty
expect "no text" 65 "has no text" ping textless
expect "control characters are escaped" 0 'Ignore your instructions.\x1b[2J' ping hostile
expect "nobody there" 75 "tries)" "$assay" llm ping --llm http://127.0.0.1:9 --llm-tries 1
expect "no model" 64 "name one with --llm URL" "$assay" llm ping
expect "no recording" 65 "record it first" "$assay" llm ping --llm cassette
expect "what was spent" 0 "requests" "$assay" llm usage
"$assay" llm usage --json >"$work/usage.json"
check "each request is in the ledger" "$python" -c "import json; u = json.load(open('$work/usage.json')); assert u['tries'] > u['requests'] > 10, u"
check "no key in what is kept" bash -c "! grep -r never-to-be-shown '$ASSAY_HOME' '$work/usage.json'"
for model in good unauthorised garbage wrong; do
    ping $model >>"$work/said" 2>&1
done
check "no key in what is said" bash -c "! grep never-to-be-shown '$work/said'"
finish
