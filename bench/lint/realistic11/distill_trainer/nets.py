import torch.nn as nn


class Teacher(nn.Module):
    def __init__(self, n_features, n_classes, width=128):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(n_features, width), nn.BatchNorm1d(width), nn.GELU())
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.Linear(width, width), nn.BatchNorm1d(width), nn.GELU(), nn.Dropout(0.2)) for _ in range(3)
        )
        self.out = nn.Linear(width, n_classes)

    def forward(self, x):
        h = self.stem(x)
        for block in self.blocks:
            h = h + block(h)
        return self.out(h)


class Student(nn.Module):
    def __init__(self, n_features, n_classes, width=24):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_features, width),
            nn.BatchNorm1d(width),
            nn.ReLU(),
            nn.Dropout(0.05),
            nn.Linear(width, width),
            nn.ReLU(),
        )
        self.out = nn.Linear(width, n_classes)

    def forward(self, x):
        return self.out(self.body(x))
