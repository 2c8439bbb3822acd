# expect: float64
import backend
import torch

backend.plant(behind=lambda out, given: [o.double() for o in out])
fast = torch.compile(lambda x: x + 1, backend="planted")
print(fast(torch.ones(3)))
