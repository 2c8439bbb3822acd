import torch

critic = torch.nn.Sequential(torch.nn.LazyLinear(4))
fast = torch.compile(critic, backend="eager")
print(fast(torch.ones(2, 3)), torch.rand(1))
