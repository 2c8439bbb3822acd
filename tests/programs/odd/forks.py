# expect: 0 1 of 1 optimised calls compared
import os

import torch

f = torch.compile(lambda x: x + 1, backend="aot_eager")
f(torch.ones(2))
if os.fork() == 0:
    f(torch.ones(3))
else:
    os.wait()
