# expect: arg[0]
import backend
import torch

backend.plant(before=lambda given: [g.clone() for g in given])


@torch.compile(backend="planted")
def shift(x):
    x.add_(1)
    return x.sum()


print(shift(torch.ones(4)))
