# expect: 0 1 of 1 optimised calls compared
import torch


@torch.jit.script
class Pair:
    def __init__(self, a: torch.Tensor):
        self.a = a


@torch.jit.script
def f(x: torch.Tensor):
    return Pair(x).a + 1


assert isinstance(f, torch.jit.ScriptFunction) and f.graph
f(torch.ones(2))
