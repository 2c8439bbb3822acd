# expect: 2 an error in what nothing uses: 1
# A compiler leaves out what nothing uses, also what raises.
import torch


def add_rows(x):
    torch.index_add(torch.zeros(1, 3), 0, torch.tensor([0, 1]), torch.ones(2, 3))
    return x + 1


print(torch.compile(add_rows, backend="aot_eager")(torch.ones(2)))
