import copy
import math
from types import SimpleNamespace

import torch
from torch.utils.data import DataLoader, TensorDataset

from losses import critic_loss, generator_loss, gradient_penalty
from networks import Critic, Sampler

HP = SimpleNamespace(batch=64, epochs=1, n_critic=3, lr=1e-4, lam=10.0, ema=0.995, seed=21)


def ring(n):
    """Eight Gaussians on a circle."""
    k = torch.randint(0, 8, (n,))
    angle = 2 * math.pi * k / 8
    return torch.stack([angle.cos(), angle.sin()], dim=1) * 2 + 0.05 * torch.randn(n, 2)


def set_trainable(net, flag):
    for p in net.parameters():
        p.requires_grad_(flag)


@torch.no_grad()
def average(ema, net, decay):
    for a, b in zip(ema.parameters(), net.parameters()):
        a.lerp_(b, 1 - decay)


@torch.no_grad()
def coverage(gen, n=512):
    """The share of the eight modes with a sample nearby."""
    pts = gen.draw(n)
    angle = 2 * math.pi * torch.arange(8) / 8
    modes = 2 * torch.stack([angle.cos(), angle.sin()], dim=1)
    return (torch.cdist(modes, pts).min(dim=1).values < 0.3).float().mean().item()


def train():
    torch.manual_seed(HP.seed)
    loader = DataLoader(TensorDataset(ring(4096)), batch_size=HP.batch, shuffle=True, drop_last=True)
    critic, gen = Critic(), Sampler()
    gen_ema = copy.deepcopy(gen).requires_grad_(False)
    opt_c = torch.optim.Adam(critic.parameters(), lr=HP.lr, betas=(0.0, 0.9))
    opt_g = torch.optim.Adam(gen.parameters(), lr=HP.lr, betas=(0.0, 0.9))

    step = 0
    for epoch in range(HP.epochs):
        for (real,) in loader:
            step += 1
            set_trainable(critic, True)
            with torch.no_grad():
                fake = gen.draw(real.size(0))
            loss_c = critic_loss(critic, real, fake)
            penalty = gradient_penalty(critic, real, fake)
            opt_c.zero_grad()
            (loss_c + HP.lam * penalty).backward()
            opt_c.step()

            if step % HP.n_critic == 0:
                set_trainable(critic, False)
                loss_g = generator_loss(critic, gen.draw(HP.batch))
                opt_g.zero_grad()
                loss_g.backward()
                opt_g.step()
                average(gen_ema, gen, HP.ema)

        print(f"epoch {epoch}  wasserstein {-loss_c.item():.3f}  penalty {penalty.item():.3f}  "
              f"modes {coverage(gen_ema):.2f}")
    torch.save({"gen": gen.state_dict(), "ema": gen_ema.state_dict()}, "wgan.pt")


if __name__ == "__main__":
    train()
