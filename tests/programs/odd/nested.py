# expect: 0 optimised calls compared
import torch

net = torch.compile(torch.nn.Linear(2, 2), backend="aot_eager")
outer = torch.compile(lambda x: net(x) * 2, backend="aot_eager")
outer(torch.randn(3, 2))
twice = torch.compile(net, backend="aot_eager")
twice(torch.randn(3, 2))
