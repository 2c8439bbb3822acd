import torch.nn as nn


class Residual(nn.Module):
    def __init__(self, width, p_drop):
        super().__init__()
        self.norm = nn.BatchNorm1d(width)
        self.fc1 = nn.Linear(width, 2 * width)
        self.act = nn.GELU()
        self.drop = nn.Dropout(p_drop)
        self.fc2 = nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.fc2(self.drop(self.act(self.fc1(self.norm(x)))))


class Classifier(nn.Module):
    """Tabular classifier: stem, residual blocks, head. Returns logits."""

    def __init__(self, n_features, n_classes, width=32, depth=2, p_drop=0.1):
        super().__init__()
        self.stem = nn.Linear(n_features, width)
        self.blocks = nn.ModuleList([Residual(width, p_drop) for _ in range(depth)])
        self.head = nn.Linear(width, n_classes)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return self.head(x)
