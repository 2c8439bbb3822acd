import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self, dim: int = 2, width: int = 64):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(dim, width), nn.LeakyReLU(0.2),
            nn.Linear(width, width), nn.LayerNorm(width), nn.LeakyReLU(0.2),
            nn.Linear(width, 1),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.net(x).squeeze(1)


class Sampler(nn.Module):
    def __init__(self, latent: int = 8, dim: int = 2, width: int = 64):
        super().__init__()
        self.latent = latent
        self.net = nn.Sequential(
            nn.Linear(latent, width), nn.ReLU(),
            nn.Linear(width, width), nn.ReLU(),
            nn.Linear(width, dim),
        )

    def forward(self, z: torch.Tensor) -> torch.Tensor:
        return self.net(z)

    def draw(self, n: int) -> torch.Tensor:
        z = torch.randn(n, self.latent, device=next(self.parameters()).device)
        return self(z)
