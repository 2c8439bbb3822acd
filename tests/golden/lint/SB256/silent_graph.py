import torch


def penalty(critic, mix):
    (g,) = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return ((g.norm(dim=1) - 1) ** 2).mean()


def sensitivity(model, x):
    (g,) = torch.autograd.grad(model(x).sum(), x)
    return g.norm(dim=1).mean()
