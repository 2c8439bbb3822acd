# expect: 0 1 of 1 optimised calls compared
import torch

net = torch.jit.trace(torch.nn.Linear(3, 2), torch.randn(4, 3))
assert isinstance(net, torch.jit.ScriptModule)
