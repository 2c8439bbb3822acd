# expect: KeyError
import backend
import torch

backend.plant(around=backend.other_error)
table = torch.randn(5, 2)
fast = torch.compile(lambda i: torch.nn.functional.embedding(i, table), backend="planted")
try:
    fast(torch.tensor([7]))
except Exception as e:
    print(type(e))
