# expect: 2 a backend of the program's own
import torch


def backend(gm, inputs):
    return lambda *args: [o * 2 for o in gm(*args)]


torch.compile(lambda x: x + 1, backend=backend)(torch.ones(2))
