#!/usr/bin/env bash
# Projects that are hard to link: no wrong fact crosses files, and the answer is the same with one worker and eight, with an
# empty and a full cache, for all files together and file by file; fixes know the callers too.
. "$(dirname "$0")/lib.sh"
engine='import torch


def validate(model, loader):
    hits = 0
    with torch.no_grad():
        for x, y in loader:
            hits += (model(x).argmax(1) == y).sum().item()
    return hits
'
# main IMPORT MODE: a program that trains, and validates in the mode of the last call.
main() {
    cat <<PROGRAM
import torch
from torch import nn
from torch.utils.data import DataLoader

$1


def main(data, test_data):
    net = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5))
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    test_loader = DataLoader(test_data)
    for epoch in range(3):
        net.train()
        for x, y in DataLoader(data, shuffle=True):
            opt.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            opt.step()
        net.$2()
        print(validate(net, test_loader))


if __name__ == "__main__":
    main([], [])
PROGRAM
}
project() { rm -rf "$work/p"; mkdir -p "$work/p"; cd "$work/p" && touch pyproject.toml; printf '%s' "$engine" >engine.py; }
codes() { timeout 60 "$assay" lint --output-format concise --select SB022,SB091 --min-confidence "$confidence" --callers project "$@" 2>&1 | grep -oE '^[^ ]+: SB[0-9]+' | sort; }

# same NAME CODES: all ways of asking give these findings, "file:line:column: code" in order; empty: none.
same() {
    local name=$1 expected=$2 one file
    one=$(codes --no-cache -j 1 .)
    check "$name: expected findings, got: $one" test "$one" = "$expected"
    check "$name: eight workers" test "$(codes --no-cache -j 8 .)" = "$one"
    check "$name: empty cache" test "$(codes --cache-dir ../cache .)" = "$one"
    check "$name: full cache" test "$(codes --cache-dir ../cache .)" = "$one"
    check "$name: file by file" test "$(for file in $(find . -name '*.py' | sed 's:^\./::' | head -60); do codes --no-cache "$file"; done | sort)" = "$one"
    rm -rf ../cache
}
confidence=medium
bug="engine.py:8:22: SB022"

project; main "from engine import validate" train >main.py
same "a caller in training mode" "$bug"
project; main "from engine import validate" eval >main.py
same "a caller in evaluation mode" ""
project; main "from engine import validate" train >main.py; ln -s main.py copy.py
same "a link to the caller" "$bug"
project; mkdir torch; touch torch/__init__.py; main "from engine import validate" train >main.py
same "a package that shadows torch" "$(codes --no-cache -j 1 .)"
project; mkdir -p a b; printf '%s' "$engine" >a/tools.py; printf 'def validate(model, loader):\n    return 0\n' >b/tools.py; rm engine.py
main "import sys; sys.path.insert(0, 'b')
from tools import validate" train >main.py
same "two modules of one name" ""
project; for i in $(seq 12); do printf 'import torch\nimport m%d\n\n\ndef f%d(x):\n    return m%d.f%d(x)\n' $((i % 12 + 1)) "$i" $((i % 12 + 1)) $((i % 12 + 1)) >m$i.py; done
main "from engine import validate
import m1" train >main.py
same "a cycle of imports over twelve files" "$bug"
project; main "from engine import validate" train >main.py
python3 - <<'PROGRAM'
with open("chain.py", "w") as f:
    f.write("import torch\nfrom engine import validate\n\n\ndef f0(model, loader):\n    return validate(model, loader)\n")
    f.writelines(f"\n\ndef f{i}(model, loader):\n    return f{i - 1}(model, loader)\n" for i in range(1, 2000))
PROGRAM
confidence=low # one caller gives a model of which nothing is known
same "a chain of 2,000 functions" "$bug"
confidence=medium
project; for i in $(seq 50); do main "from engine import validate" eval >e$i.py; main "from engine import validate" train >t$i.py; done
same "a hundred callers that differ" "$(codes --no-cache -j 1 .)"

# between two runs with one cache
project; main "from engine import validate" train >main.py
check "before" test "$(codes --cache-dir ../cache engine.py)" = "$bug"
main "from engine import validate" eval >main.py
check "the caller was changed" test "$(codes --cache-dir ../cache engine.py)" = ""
main "from engine import validate" train >main.py
check "and changed back" test "$(codes --cache-dir ../cache engine.py)" = "$bug"
rm main.py
check "the caller was deleted" test "$(codes --cache-dir ../cache engine.py)" = ""

# fixes: what is left is judged as before them
project; main "from engine import validate" train >main.py
printf 'from torch.autograd import Variable\n%s\n\nz = Variable(torch.zeros(2))\n' "$engine" >engine.py
check "what is left after a fix" test "$(codes --no-cache --fix engine.py)" = "engine.py:9:22: SB022"
check "the fix was made" grep -q '^z = torch.zeros(2)$' engine.py
cd "$root" || exit 1
finish
