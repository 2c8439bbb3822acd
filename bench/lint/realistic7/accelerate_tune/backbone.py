import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.layer1 = nn.Sequential(nn.Conv2d(3, width, 3, 2, 1), nn.BatchNorm2d(width), nn.ReLU())
        self.layer2 = nn.Sequential(nn.Conv2d(width, 2 * width, 3, 2, 1), nn.BatchNorm2d(2 * width), nn.ReLU())
        self.out_dim = 2 * width

    def forward(self, x):
        return self.layer2(self.layer1(x)).mean(dim=(2, 3))


class Classifier(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.backbone = Backbone()
        self.head = nn.Linear(self.backbone.out_dim, n_classes)

    def forward(self, x):
        return self.head(self.backbone(x))

    def freeze_stem(self):
        for p in self.backbone.layer1.parameters():
            p.requires_grad = False

    def train(self, mode=True):
        super().train(mode)
        if not next(self.backbone.layer1.parameters()).requires_grad:
            self.backbone.layer1.eval()  # a frozen stem keeps its running statistics
        return self


def pretrain(loader, path, lr=2e-3):
    net = Classifier(6)
    opt = torch.optim.Adam(net.parameters(), lr=lr)
    net.train()
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
    torch.save(net.backbone.state_dict(), path)
