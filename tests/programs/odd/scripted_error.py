# expect: 0 1 of 1 optimised calls compared
# The interpreter tells a KeyError as an error of its own.
from typing import Dict

import torch


def pick(t, names: Dict[str, torch.Tensor]):
    return names["b"] + t


try:
    torch.jit.script(pick)(torch.rand(3), {"a": torch.rand(3)})
except RuntimeError as e:
    print(type(e))
