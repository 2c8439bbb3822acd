import argparse
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

parser = argparse.ArgumentParser(description="small images, ten classes")
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--batch-size", type=int, default=48)
parser.add_argument("--lr", type=float, default=0.05)
parser.add_argument("--wd", type=float, default=5e-4)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--out", default="")


def fake_cifar(n, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, 10, (n,), generator=g)
    proto = torch.rand(10, 3, 16, 16, generator=torch.Generator().manual_seed(99))
    x = 0.6 * proto[y] + 0.4 * torch.rand(n, 3, 16, 16, generator=g)
    return (x * 255).to(torch.uint8), y


class Images(Dataset):
    def __init__(self, x, y, mean, std, train):
        self.x, self.y = x, y
        self.mean, self.std = mean, std
        self.train = train

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        img = self.x[i].float() / 255
        img = (img - self.mean) / self.std
        if self.train:
            if torch.rand(()) < 0.5:
                img = img.flip(-1)
            dy, dx = torch.randint(0, 5, (2,)).tolist()
            img = F.pad(img, (2, 2, 2, 2))[:, dy:dy + 16, dx:dx + 16]
        return img, self.y[i]


class Net(nn.Module):
    def __init__(self, n_classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 24, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(24)
        self.conv2 = nn.Conv2d(24, 48, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(48)
        self.drop = nn.Dropout(0.25)
        self.fc = nn.Linear(48, n_classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)
        x = self.drop(x.mean(dim=(2, 3)))
        return self.fc(x)


def train_epoch(model, loader, optimizer, scheduler):
    model.train()
    running, seen = 0.0, 0
    for images, labels in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images), labels, label_smoothing=0.05)
        loss.backward()
        optimizer.step()
        scheduler.step()
        running += loss.item() * len(labels)
        seen += len(labels)
    return running / seen


@torch.no_grad()
def test(model, loader):
    model.eval()
    nll, correct = 0.0, 0
    for images, labels in loader:
        logits = model(images)
        nll += F.cross_entropy(logits, labels, reduction="sum").item()
        correct += (logits.argmax(dim=1) == labels).sum().item()
    n = len(loader.dataset)
    return nll / n, 100.0 * correct / n


def main():
    args = parser.parse_args()
    torch.manual_seed(args.seed)

    x, y = fake_cifar(1000, seed=0)
    x_train, y_train = x[:800], y[:800]
    x_val, y_val = x[800:], y[800:]
    pixels = x_train.float() / 255
    mean = pixels.mean(dim=(0, 2, 3))[:, None, None]
    std = pixels.std(dim=(0, 2, 3))[:, None, None]
    train_loader = DataLoader(Images(x_train, y_train, mean, std, train=True), batch_size=args.batch_size, shuffle=True)
    val_loader = DataLoader(Images(x_val, y_val, mean, std, train=False), batch_size=128)

    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9, weight_decay=args.wd)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=args.lr, total_steps=args.epochs * len(train_loader))

    best_loss, best_weights = float("inf"), None
    for epoch in range(1, args.epochs + 1):
        train_loss = train_epoch(model, train_loader, optimizer, scheduler)
        val_loss, acc = test(model, val_loader)
        print(f"[{epoch}/{args.epochs}] train {train_loss:.4f} | val {val_loss:.4f} acc {acc:.1f}%")
        if val_loss < best_loss:
            best_loss = val_loss
            best_weights = copy.deepcopy(model.state_dict())

    if best_weights is not None:
        model.load_state_dict(best_weights)
    print("kept: %.4f %.1f%%" % test(model, val_loader))
    if args.out:
        torch.save(model.state_dict(), args.out)


if __name__ == "__main__":
    main()
