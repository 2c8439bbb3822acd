# expect: 0 1 of 1 optimised calls compared, 0 values
import torch

pick = torch.compile(lambda t, i: t[i])
try:
    pick(torch.ones(8), torch.tensor([1, 9]))
except (IndexError, RuntimeError) as e:
    print(type(e))
