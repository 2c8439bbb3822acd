# expect: 0 optimised calls compared
import torch

f = torch.compile(lambda a, b: a @ b, backend="aot_eager")
try:
    f(torch.ones(2, 3), torch.ones(2, 3))
except RuntimeError as e:
    print(type(e))
