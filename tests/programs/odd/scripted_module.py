# expect: 0 optimised calls compared
import tempfile

import torch

net = torch.jit.script(torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2)))
for _ in range(3):
    net(torch.randn(4, 3))
with tempfile.TemporaryDirectory() as folder:
    net.save(folder + "/net.pt")
