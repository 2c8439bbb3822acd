# expect: 0 optimised calls compared
import torch
import torch.fx

net = torch.fx.symbolic_trace(torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.ReLU()))
net(torch.randn(4, 3))
print(net.code)
