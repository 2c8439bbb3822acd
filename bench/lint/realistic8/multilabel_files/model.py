import torch.nn as nn


class Tagger(nn.Module):
    def __init__(self, n_in=24, hidden=64, n_tags=6):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Linear(n_in, hidden), nn.BatchNorm1d(hidden), nn.ReLU(), nn.Dropout(0.2),
            nn.Linear(hidden, hidden), nn.ReLU())
        self.tag_head = nn.Linear(hidden, n_tags)
        self.count_head = nn.Linear(hidden, 1)

    def forward(self, x):
        h = self.backbone(x)
        return self.tag_head(h), self.count_head(h).flatten()

    def freeze_backbone(self, frozen=True):
        for p in self.backbone.parameters():
            p.requires_grad = not frozen
