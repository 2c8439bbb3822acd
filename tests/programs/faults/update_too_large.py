# expect: weight
import backend
import torch


def longer(run, given):
    old = [g.detach().clone() for g in given]
    out = run(*given)
    with torch.no_grad():
        for g, o in zip(given, old):
            g.add_(g - o, alpha=0.05)
    return out


backend.plant(around=longer)
torch.manual_seed(0)
net = torch.nn.Linear(6, 3)
x, y = torch.randn(8, 6), torch.randn(8, 3)


@torch.compile(backend="planted")
def update():
    with torch.no_grad():
        for p in net.parameters():
            p.sub_(0.01 * p.grad)


for _ in range(4):
    net.zero_grad()
    torch.nn.functional.mse_loss(net(x), y).backward()
    update()
