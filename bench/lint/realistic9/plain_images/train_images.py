"""Small residual network on 32x32 pictures. One file, no framework.

    python train_images.py --epochs 1 --mixup 0.2
"""
import argparse
import copy
import math
import random

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=1)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--lr", type=float, default=0.1)
    p.add_argument("--wd", type=float, default=5e-4)
    p.add_argument("--mixup", type=float, default=0.2)
    p.add_argument("--ema", type=float, default=0.99)
    p.add_argument("--warmup", type=int, default=4)
    p.add_argument("--seed", type=int, default=1)
    return p.parse_args()


class Pictures(Dataset):
    def __init__(self, n, train, seed):
        g = np.random.default_rng(seed)
        self.labels = g.integers(0, 10, n)
        self.images = g.integers(0, 256, (n, 32, 32, 3)).astype(np.uint8)
        self.images[:, :, :, 0] = (self.images[:, :, :, 0] // 4 + 18 * self.labels[:, None, None]).astype(np.uint8)
        self.train = train

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        x = torch.from_numpy(self.images[i]).permute(2, 0, 1).float().div(255)
        if self.train and random.random() < 0.5:
            x = x.flip(-1)
        if self.train:
            x = F.pad(x, (4, 4, 4, 4))
            top, left = random.randint(0, 8), random.randint(0, 8)
            x = x[:, top:top + 32, left:left + 32]
        return (x - 0.5) / 0.25, int(self.labels[i])


class Block(nn.Module):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(cin, cout, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(cout)
        self.conv2 = nn.Conv2d(cout, cout, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(cout)
        self.short = nn.Sequential()
        if stride != 1 or cin != cout:
            self.short = nn.Sequential(nn.Conv2d(cin, cout, 1, stride, bias=False), nn.BatchNorm2d(cout))

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)))
        y = self.bn2(self.conv2(y))
        return F.relu(y + self.short(x))


class ResNet(nn.Module):
    def __init__(self, width=8, classes=10):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU())
        self.blocks = nn.ModuleList([Block(width, width, 1), Block(width, 2 * width, 2), Block(2 * width, 4 * width, 2)])
        self.fc = nn.Linear(4 * width, classes)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        return self.fc(x.mean(dim=(2, 3)))


def mixed(x, y, alpha):
    lam = np.random.beta(alpha, alpha) if alpha > 0 else 1.0
    order = torch.randperm(x.size(0))
    return lam * x + (1 - lam) * x[order], y, y[order], lam


@torch.no_grad()
def follow(ema, net, decay):
    for e, p in zip(ema.parameters(), net.parameters()):
        e.mul_(decay).add_(p, alpha=1 - decay)
    for e, b in zip(ema.buffers(), net.buffers()):
        e.copy_(b)


@torch.no_grad()
def evaluate(net, loader):
    net.eval()
    total, top1, top5 = 0.0, 0, 0
    for x, y in loader:
        out = net(x)
        total += F.cross_entropy(out, y, reduction="sum").item()
        best = out.topk(5, dim=1).indices
        hits = best == y.unsqueeze(1)
        top1 += hits[:, 0].sum().item()
        top5 += hits.any(dim=1).sum().item()
    n = len(loader.dataset)
    return total / n, top1 / n, top5 / n


def main():
    args = parse()
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    train = DataLoader(Pictures(256, True, 0), args.batch_size, shuffle=True, drop_last=True)
    val = DataLoader(Pictures(100, False, 7), args.batch_size)

    net = ResNet()
    ema = copy.deepcopy(net).requires_grad_(False)
    decay = [p for p in net.parameters() if p.ndim > 1]
    rest = [p for p in net.parameters() if p.ndim <= 1]
    opt = torch.optim.SGD([{"params": decay, "weight_decay": args.wd}, {"params": rest, "weight_decay": 0.0}],
                          lr=args.lr, momentum=0.9, nesterov=True)
    steps = args.epochs * len(train)

    def factor(step):
        if step < args.warmup:
            return (step + 1) / args.warmup
        return 0.5 * (1 + math.cos(math.pi * (step - args.warmup) / max(1, steps - args.warmup)))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
    for epoch in range(args.epochs):
        net.train()
        seen, running = 0, 0.0
        for x, y in train:
            x, ya, yb, lam = mixed(x, y, args.mixup)
            out = net(x)
            loss = lam * F.cross_entropy(out, ya) + (1 - lam) * F.cross_entropy(out, yb)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sched.step()
            follow(ema, net, args.ema)
            running += loss.item() * len(x)
            seen += len(x)
        loss_val, a1, a5 = evaluate(ema, val)
        print(f"{epoch}: train {running / seen:.3f} lr {sched.get_last_lr()[0]:.4f} val {loss_val:.3f} {a1:.2%} {a5:.2%}")


if __name__ == "__main__":
    main()
