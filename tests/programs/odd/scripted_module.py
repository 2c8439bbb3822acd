# expect: 0 optimised calls compared
import io

import torch

net = torch.jit.script(torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2)))
for _ in range(3):
    net(torch.randn(4, 3))
net.save(io.BytesIO())
