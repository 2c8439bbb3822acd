"""Small CNN on generated colour patches.

    python train_shapes.py --epochs 1 --lr 0.05
"""
import argparse
import copy
import random

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset
from tqdm import tqdm


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=1)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--lr", type=float, default=0.05)
    p.add_argument("--step-size", type=int, default=10)
    p.add_argument("--seed", type=int, default=7)
    return p.parse_args()


class Patches(Dataset):
    """16x16 RGB images, the label is the quadrant that is brighter."""

    def __init__(self, n, seed, augment=False):
        rng = np.random.default_rng(seed)
        self.y = rng.integers(0, 4, size=n)
        self.x = rng.normal(0.3, 0.2, size=(n, 16, 16, 3)).astype(np.float32)
        for img, label in zip(self.x, self.y):
            r, c = divmod(int(label), 2)
            img[r * 8:r * 8 + 8, c * 8:c * 8 + 8] += 0.5
        self.augment = augment

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        img = torch.from_numpy(self.x[i]).permute(2, 0, 1)
        if self.augment:
            img = img + 0.1 * torch.randn_like(img)
        return img, int(self.y[i])


class SmallCNN(nn.Module):
    def __init__(self, n_classes=4):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(16)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(32)
        self.fc = nn.Linear(32 * 4 * 4, n_classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)
        x = torch.flatten(x, 1)
        x = F.dropout(x, 0.3, training=self.training)
        return self.fc(x)


def evaluate(model, loader, device):
    model.eval()
    correct, loss_sum, n = 0, 0.0, 0
    with torch.no_grad():
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            out = model(x)
            loss_sum += F.cross_entropy(out, y, reduction="sum").item()
            correct += (out.argmax(1) == y).sum().item()
            n += y.size(0)
    return loss_sum / n, correct / n


def main():
    args = get_args()
    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    train_set = Patches(600, seed=1, augment=True)
    val_set = Patches(200, seed=2)
    test_set = Patches(200, seed=3)
    train_loader = DataLoader(train_set, batch_size=args.batch_size, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=args.batch_size)
    test_loader = DataLoader(test_set, batch_size=args.batch_size)

    net = SmallCNN().to(device)
    opt = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9, weight_decay=5e-4)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=args.step_size, gamma=0.1)

    best_acc, best_weights = 0.0, copy.deepcopy(net.state_dict())
    for epoch in range(args.epochs):
        net.train()
        running = 0.0
        for x, y in tqdm(train_loader, desc=f"epoch {epoch}", leave=False):
            x, y = x.to(device), y.to(device)
            opt.zero_grad()
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            opt.step()
            running += loss.item() * y.size(0)
        sched.step()

        val_loss, val_acc = evaluate(net, val_loader, device)
        print(f"{epoch}: train {running / len(train_set):.4f}  val {val_loss:.4f}  acc {val_acc:.3f}")
        if val_acc > best_acc:
            best_acc = val_acc
            best_weights = copy.deepcopy(net.state_dict())

    net.load_state_dict(best_weights)
    print("test loss %.4f acc %.3f" % evaluate(net, test_loader, device))


if __name__ == "__main__":
    main()
