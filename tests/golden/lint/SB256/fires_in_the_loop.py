import torch


def step(critic, optimizer, real, fake):
    mix = (0.5 * real + 0.5 * fake).detach().requires_grad_()
    (g,) = torch.autograd.grad(critic(mix).sum(), mix)  # expect: SB256
    penalty = ((g.view(len(g), -1).norm(dim=1) - 1) ** 2).mean()
    optimizer.zero_grad()
    (critic(fake).mean() - critic(real).mean() + 10 * penalty).backward()
    optimizer.step()
