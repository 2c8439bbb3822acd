import torch
from torch import nn
SOLVERS = {
    "adam": lambda params, c: torch.optim.AdamW(params, lr=c.lr),
    "sgd": lambda params, c: torch.optim.SGD(params, lr=c.lr, momentum=0.9),
}
def build(table, name, *args):
    if name not in table:
        raise KeyError(name)
    return table[name](*args)
