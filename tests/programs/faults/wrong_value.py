# expect: out
import backend
import torch

backend.plant(behind=lambda out, given: [o * 1.001 for o in out])
torch.manual_seed(0)
net = torch.compile(torch.nn.Linear(4, 4), backend="planted")
print(net(torch.randn(3, 4)))
