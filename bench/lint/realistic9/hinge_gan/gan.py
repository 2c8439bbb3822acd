"""hinge-loss gan with spectral norm, differentiable augmentation and an averaged generator"""
import torch as th
from torch import nn, optim
from torch.nn.utils.parametrizations import spectral_norm
from torch.utils.data import DataLoader, TensorDataset

Z = 16
BS = 32
D_STEPS = 2
EPOCHS = 1
R1 = 1.0

th.manual_seed(1234)


def make_data(n=256):
    ys, xs = th.meshgrid(th.linspace(-1, 1, 16), th.linspace(-1, 1, 16), indexing="ij")
    c = th.rand(n, 2, 1, 1) - 0.5
    r = 0.2 + 0.3 * th.rand(n, 1, 1)
    disc = (((xs - c[:, 0]) ** 2 + (ys - c[:, 1]) ** 2) < r ** 2).float()
    return disc.unsqueeze(1) * 2 - 1


class G(nn.Module):
    def __init__(self, ch=32):
        super().__init__()
        self.fc = nn.Linear(Z, ch * 4 * 4)
        self.ch = ch
        self.body = nn.Sequential(
            nn.BatchNorm2d(ch), nn.ReLU(),
            nn.ConvTranspose2d(ch, ch // 2, 4, 2, 1), nn.BatchNorm2d(ch // 2), nn.ReLU(),
            nn.ConvTranspose2d(ch // 2, 1, 4, 2, 1), nn.Tanh(),
        )

    def forward(self, z):
        return self.body(self.fc(z).view(-1, self.ch, 4, 4))


class D(nn.Module):
    def __init__(self, ch=16):
        super().__init__()
        self.net = nn.Sequential(
            spectral_norm(nn.Conv2d(1, ch, 4, 2, 1)), nn.LeakyReLU(0.2),
            spectral_norm(nn.Conv2d(ch, ch * 2, 4, 2, 1)), nn.LeakyReLU(0.2),
        )
        self.out = spectral_norm(nn.Linear(ch * 2 * 16, 1))

    def forward(self, x):
        return self.out(self.net(x).flatten(1)).squeeze(1)


def init(m):
    if isinstance(m, (nn.Conv2d, nn.ConvTranspose2d)):
        nn.init.normal_(m.weight, 0.0, 0.02)


def jitter(x):
    # differentiable: brightness and a roll
    x = x + (th.rand(len(x), 1, 1, 1) - 0.5) * 0.2
    return x.roll(int(th.randint(-2, 3, ())), dims=3)


gen, dis = G(), D()
gen.apply(init)
avg = optim.swa_utils.AveragedModel(gen, multi_avg_fn=optim.swa_utils.get_ema_multi_avg_fn(0.98), use_buffers=True)
opt_g = optim.Adam(gen.parameters(), lr=1e-4, betas=(0.0, 0.9))
opt_d = optim.Adam(dis.parameters(), lr=4e-4, betas=(0.0, 0.9))


def d_step(real):
    fake = gen(th.randn(len(real), Z)).detach()
    real = real.clone().requires_grad_(True)
    s_real, s_fake = dis(jitter(real)), dis(jitter(fake))
    loss = th.relu(1 - s_real).mean() + th.relu(1 + s_fake).mean()
    (grad,) = th.autograd.grad(s_real.sum(), real, create_graph=True)
    penalty = grad.pow(2).sum(dim=(1, 2, 3)).mean()
    opt_d.zero_grad()
    (loss + 0.5 * R1 * penalty).backward()
    opt_d.step()
    return loss.item()


def g_step(n):
    loss = -dis(jitter(gen(th.randn(n, Z)))).mean()
    opt_g.zero_grad()
    loss.backward()
    opt_g.step()
    avg.update_parameters(gen)
    return loss.item()


def sample(n, fixed):
    avg.eval()
    with th.no_grad():
        out = th.cat([avg(z) for z in fixed[:n].split(16)])
    return (out + 1) / 2


def main():
    loader = DataLoader(TensorDataset(make_data()), BS, shuffle=True, drop_last=True)
    fixed = th.randn(64, Z)
    for epoch in range(EPOCHS):
        ds, gs = [], []
        for i, (real,) in enumerate(loader):
            ds.append(d_step(real))
            if (i + 1) % D_STEPS == 0:
                gs.append(g_step(BS))
        pics = sample(32, fixed)
        print(f"{epoch} D {sum(ds) / len(ds):.3f} G {sum(gs) / len(gs):.3f} mean {pics.mean():.3f} min {pics.min():.2f}")


if __name__ == "__main__":
    main()
