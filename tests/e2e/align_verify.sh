#!/usr/bin/env bash
# A sample of the pairs that are part of assay is verified anew by running both sides: the same status, adapter and evidence. A second run
# takes the stored outputs and writes the same bytes.
. "$(dirname "$0")/lib.sh"
need_engines torch

expect "a sample needs a folder of its own" 64 "--pairs DIR is expected" "$assay" align jax --symbol torch.fmax
has_framework keras || finish

mkdir -p "$work/home/targets"
cp "$ASSAY_HOME"/targets/*.json "$work/home/targets/"
export ASSAY_HOME=$work/home
functions=fmod,fmax,maximum,sum,nansum,std,median,transpose,softmax,clamp,layer_norm # the last has just enough calls
names=torch.${functions//,/,torch.},torch.remainder,keras.ops.mod
names+=,keras.ops.fmod,keras.ops.maximum,keras.ops.sum,keras.ops.nansum,keras.ops.std,keras.ops.median,keras.ops.swapaxes,keras.ops.softmax,keras.ops.clip,keras.ops.layer_normalization

expect "a name that is none" 64 "keras has no public symbol of the names that --symbol gives" "$assay" align keras --symbol torch.fmax --pairs "$work/none" -q
expect "a sample is verified" 0 "12 pairs: 1 equal, 7 equal with an adapter, 3 mixed, 0 unverified, 1 rejected" "$assay" align keras --symbol "$names" --pairs "$work/first"
expect "stored outputs alone" 0 "torch and keras: 13 pairs are proposed" "$assay" align keras --symbol "$names" --pairs "$work/second" --stored
check "the same bytes" cmp "$work/first/torch-keras.json" "$work/second/torch-keras.json"
# Rivals, witnesses, further names and what descriptions propose depend on which other symbols take part.
check "the pairs that are part of assay" "$python" -I - "$work/first/torch-keras.json" "$root/share/pairs/torch-keras.json" <<'PY'
import json, sys
new, old = ({(p["a"], p["b"]): p for p in json.load(open(path))["pairs"]} for path in sys.argv[1:])
new = {key: p for key, p in new.items() if p["source"] != "text"}
assert len(new) == 11, len(new)
for key, pair in new.items():
    for p in (pair, old[key]):
        for name in ("rivals", "witnesses"):
            p["evidence"].pop(name, None)
        p.pop("names_a", None), p.pop("names_b", None)
    assert pair == old[key], [(k, pair[k], old[key].get(k)) for k in pair if pair[k] != old[key].get(k)]
PY
expect "a pair that was just verified is shown" 0 "without the adapter" "$assay" align show torch.nansum --pairs "$work/first"
finish
