"""A small image backbone, frozen at first, and a new head."""

from torch import nn


class Backbone(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.stage1 = nn.Sequential(nn.Conv2d(3, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(), nn.MaxPool2d(2))
        self.stage2 = nn.Sequential(nn.Conv2d(width, 2 * width, 3, padding=1), nn.BatchNorm2d(2 * width), nn.ReLU())
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.n_out = 2 * width

    def forward(self, x):
        return self.pool(self.stage2(self.stage1(x))).flatten(1)


class Classifier(nn.Module):
    def __init__(self, backbone, n_classes):
        super().__init__()
        self.backbone = backbone
        self.dropout = nn.Dropout(0.3)
        self.head = nn.Linear(backbone.n_out, n_classes)

    def forward(self, x):
        return self.head(self.dropout(self.backbone(x)))

    def freeze(self):
        for p in self.backbone.parameters():
            p.requires_grad = False
        for p in self.backbone.stage2.parameters():
            p.requires_grad = True
