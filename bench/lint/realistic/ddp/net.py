import torch
from torch import nn
from torch.utils.data import Dataset


class Waves(Dataset):
    """Sine waves in noise; the label is the frequency band."""

    def __init__(self, n, train=True):
        g = torch.Generator().manual_seed(1 if train else 2)
        self.labels = torch.arange(n) * 4 // n
        t = torch.linspace(0, 1, 64)
        phase = torch.rand(n, 1, generator=g)
        self.signals = torch.sin(6.28 * ((self.labels[:, None] + 1) * 2 * t + phase))
        self.signals = self.signals + 0.3 * torch.randn(n, 64, generator=g)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.signals[i][None], self.labels[i]


class WaveNet(nn.Module):
    def __init__(self, n_classes=4):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, 8, 7, stride=2), nn.BatchNorm1d(8), nn.ReLU(), nn.Conv1d(8, 16, 5, stride=2), nn.ReLU()
        )
        self.dropout = nn.Dropout(0.2)
        self.head = nn.Linear(16, n_classes)

    def forward(self, x):
        x = self.features(x).mean(dim=2)
        return self.head(self.dropout(x))
