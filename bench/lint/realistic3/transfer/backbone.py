import torch.nn as nn


class Backbone(nn.Module):
    """Stands for a pretrained network."""

    def __init__(self, dim=24, n_out=10):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, dim, 3, stride=2, padding=1), nn.BatchNorm2d(dim), nn.ReLU())
        self.layer = nn.Sequential(nn.Conv2d(dim, dim, 3, stride=2, padding=1), nn.BatchNorm2d(dim), nn.ReLU())
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(dim, n_out)

    def forward(self, x):
        x = self.layer(self.stem(x))
        return self.fc(self.pool(x).flatten(1))


def pretrained(path=None):
    model = Backbone()
    return model
