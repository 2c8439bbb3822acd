"""A small residual network."""
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, cin, cout, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(cin, cout, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(cout)
        self.skip = nn.Conv2d(cin, cout, 1, stride, bias=False)

    def forward(self, x):
        y = self.bn1(self.conv1(x)).relu()
        y = self.bn2(self.conv2(y))
        return (y + self.skip(x)).relu()


class ShapeNet(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.ReLU())
        self.blocks = nn.Sequential(Block(width, 2 * width, 2), Block(2 * width, 3 * width, 2))
        self.dropout = nn.Dropout(0.2)
        self.fc = nn.Linear(3 * width, classes)

    def forward(self, x):
        x = self.blocks(self.stem(x))
        x = x.mean(dim=(2, 3))
        return self.fc(self.dropout(x))


def build(cfg):
    return ShapeNet(cfg.width, cfg.classes).to(cfg.device)


def save(path, net, optimizer, epoch):
    torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, path)
