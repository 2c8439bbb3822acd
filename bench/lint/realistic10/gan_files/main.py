import torch
from torch.utils.data import DataLoader

from nets import Discriminator, Generator
from objectives import fool_loss, judge_loss, slope_penalty
from shapes_data import Blobs

Z = 16
GP = 1.0


def optimizers(gen, disc, lr=2e-4):
    betas = (0.5, 0.99)
    return torch.optim.Adam(gen.parameters(), lr, betas), torch.optim.Adam(disc.parameters(), lr, betas)


@torch.no_grad()
def snapshot(gen, n=64):
    """Mean brightness of generated pictures, and how much they differ from each other."""
    gen.eval()
    pics = gen(torch.randn(n, Z))
    gen.train()
    return pics.mean().item(), pics.std(dim=0).mean().item()


def train_epoch(gen, disc, g_opt, d_opt, loader):
    d_hist, g_hist = [], []
    for real in loader:
        g_opt.zero_grad()
        d_opt.zero_grad()

        z = torch.randn(real.size(0), Z)
        fake = gen(z)

        d_loss = judge_loss(disc, real, fake.detach())
        d_loss = d_loss + GP * slope_penalty(disc, real, fake.detach())
        d_loss.backward()
        d_opt.step()

        g_loss = fool_loss(disc, fake)
        g_loss.backward()
        g_opt.step()

        d_hist.append(d_loss.item())
        g_hist.append(g_loss.item())
    return sum(d_hist) / len(d_hist), sum(g_hist) / len(g_hist)


if __name__ == "__main__":
    torch.manual_seed(7)
    loader = DataLoader(Blobs(640), batch_size=32, shuffle=True, drop_last=True)
    gen, disc = Generator(), Discriminator()
    g_opt, d_opt = optimizers(gen, disc)
    for epoch in range(2):
        d_mean, g_mean = train_epoch(gen, disc, g_opt, d_opt, loader)
        light, spread = snapshot(gen)
        print(f"epoch {epoch} | D {d_mean:.3f} G {g_mean:.3f} | light {light:.3f} spread {spread:.3f}")
