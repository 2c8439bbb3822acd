# expect: accepts what eager rejects
import backend
import torch

backend.plant(before=lambda given: [g.clamp(0, 4) if g.dtype == torch.int64 else g for g in given])
table = torch.randn(5, 2)
fast = torch.compile(lambda i: torch.nn.functional.embedding(i, table), backend="planted")
print(fast(torch.tensor([7])))
