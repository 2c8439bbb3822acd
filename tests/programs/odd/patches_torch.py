# expect: 0 optimised calls compared
import torch

torch.relu = torch.sigmoid
torch.set_default_dtype(torch.float64)
torch.use_deterministic_algorithms(True)
torch.compile(lambda x: torch.relu(x) + torch.ones(2), backend="aot_eager")(torch.ones(2))
