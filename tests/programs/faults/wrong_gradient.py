# expect: grad(
import backend
import torch


class Steeper(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return g * 1.05


backend.plant(behind=lambda out, given: [Steeper.apply(o) for o in out])
torch.manual_seed(0)
net = torch.nn.Linear(4, 2)
fast = torch.compile(net, backend="planted")
for _ in range(3):
    fast(torch.randn(3, 4)).sum().backward()
