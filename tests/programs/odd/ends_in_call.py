# expect: 2 torch@
import sys

import torch


@torch.compile(backend="aot_eager")
def f(x):
    sys.exit(0)


f(torch.ones(2))
