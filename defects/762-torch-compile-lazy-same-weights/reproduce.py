"""PyTorch 2.13.0: torch.compile: models with lazy layers that are compiled before their first call all get the same weights: two critics of one seed are one and the same.

Layers draw their weights from the generator one after the other, so no two are alike in eager mode. Dynamo initialises lazy layers while it traces and puts the generator back where it was afterwards, so the next model draws the same numbers.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def weights(optimise):
    torch.manual_seed(0)
    critics = [torch.nn.Sequential(torch.nn.LazyLinear(4), torch.nn.ReLU(), torch.nn.LazyLinear(1)) for _ in range(2)]
    for critic in critics:
        optimise(critic)(torch.ones(2, 3))
    return [critic[0].weight[0] for critic in critics]


plain = weights(lambda model: model)
if torch.equal(*plain):
    print("without its optimiser the weights are the same, too")
    sys.exit(2)
got = weights(lambda model: torch.compile(model, backend="eager"))
print("torch", torch.__version__)
print("eager:   ", *plain, sep="\n  ")
print("compiled:", *got, sep="\n  ")
same = torch.equal(*got)
print("the bug is there" if same else "the bug is not there")
sys.exit(1 if same else 0)
