import torch
import torch.nn.functional as F


class Diffusion:
    def __init__(self, steps=20):
        self.steps = steps
        self.betas = torch.linspace(1e-4, 0.2, steps)
        self.alphas = 1 - self.betas
        self.alpha_bar = torch.cumprod(self.alphas, dim=0)

    def add_noise(self, x, noise, t):
        a = self.alpha_bar[t].view(-1, 1, 1, 1)
        return a.sqrt() * x + (1 - a).sqrt() * noise

    def loss(self, model, x):
        t = torch.randint(0, self.steps, (x.size(0),))
        noise = torch.randn_like(x)
        predicted = model(self.add_noise(x, noise, t), t)
        return F.mse_loss(predicted, noise)

    @torch.no_grad()
    def sample(self, model, n, size=8):
        x = torch.randn(n, 1, size, size)
        for i in reversed(range(self.steps)):
            t = torch.full((n,), i)
            eps = model(x, t)
            x = (x - self.betas[i] / (1 - self.alpha_bar[i]).sqrt() * eps) / self.alphas[i].sqrt()
            if i:
                x = x + self.betas[i].sqrt() * torch.randn_like(x)
        return x
