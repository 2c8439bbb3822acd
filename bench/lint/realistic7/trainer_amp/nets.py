import torch
import torch.nn as nn


class ResidualBlock(nn.Module):
    def __init__(self, dim: int, drop: float) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.fc1 = nn.Linear(dim, 2 * dim)
        self.fc2 = nn.Linear(2 * dim, dim)
        self.drop = nn.Dropout(drop)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = torch.nn.functional.gelu(self.fc1(self.norm(x)))
        return x + self.drop(self.fc2(h))


class ResMLP(nn.Module):
    def __init__(self, n_in: int, width: int, n_out: int, depth: int = 3, drop: float = 0.1) -> None:
        super().__init__()
        self.stem = nn.Linear(n_in, width)
        self.body = nn.Sequential(*[ResidualBlock(width, drop) for _ in range(depth)])
        self.head = nn.Linear(width, n_out)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.body(self.stem(x)))
