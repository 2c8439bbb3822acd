from __future__ import annotations

import torch
from torch import Tensor, nn


class SqueezeExcite(nn.Module):
    def __init__(self, channels: int, reduction: int = 4) -> None:
        super().__init__()
        self.gate = nn.Sequential(
            nn.Linear(channels, channels // reduction),
            nn.SiLU(),
            nn.Linear(channels // reduction, channels),
            nn.Sigmoid(),
        )

    def forward(self, x: Tensor) -> Tensor:
        weights = self.gate(x.mean(dim=-1))
        return x * weights.unsqueeze(-1)


class ConvStage(nn.Module):
    def __init__(self, in_channels: int, out_channels: int, dropout: float) -> None:
        super().__init__()
        self.conv = nn.Conv1d(in_channels, out_channels, kernel_size=5, padding=2)
        self.norm = nn.BatchNorm1d(out_channels)
        self.act = nn.SiLU()
        self.excite = SqueezeExcite(out_channels)
        self.pool = nn.MaxPool1d(2)
        self.drop = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        x = self.act(self.norm(self.conv(x)))
        x = self.pool(self.excite(x))
        return self.drop(x)


class EcgNet(nn.Module):
    """Classifies one heartbeat (leads x samples) and its rhythm."""

    def __init__(self, leads: int, beats: int, widths: tuple[int, ...] = (16, 32, 64), dropout: float = 0.1) -> None:
        super().__init__()
        sizes = (leads, *widths)
        self.stages = nn.Sequential(*[ConvStage(a, b, dropout) for a, b in zip(sizes[:-1], sizes[1:])])
        self.head = nn.Linear(widths[-1], beats)
        self.apply(self._init)

    @staticmethod
    def _init(module: nn.Module) -> None:
        if isinstance(module, (nn.Conv1d, nn.Linear)):
            nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
            nn.init.zeros_(module.bias)

    def forward(self, x: Tensor) -> Tensor:
        features = self.stages(x)
        return self.head(features.mean(dim=-1))
