import argparse
import random
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

parser = argparse.ArgumentParser(description="Small-picture training")
parser.add_argument("--epochs", default=1, type=int)
parser.add_argument("-b", "--batch-size", default=48, type=int)
parser.add_argument("--lr", default=0.05, type=float)
parser.add_argument("--wd", default=1e-4, type=float)
parser.add_argument("--seed", default=17, type=int)
parser.add_argument("--print-freq", default=5, type=int)

best_acc1 = 0.0


class Stripes(Dataset):
    mean, std = 0.35, 0.25

    def __init__(self, n, seed, train=False):
        rng = np.random.RandomState(seed)
        self.labels = rng.randint(0, 6, n)
        self.images = (rng.rand(n, 3, 18, 18) * 0.6).astype("float32")
        for img, y in zip(self.images, self.labels):
            img[y % 3, 3 * y:3 * y + 3] += 0.5
        self.train = train

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, idx):
        img = torch.from_numpy(self.images[idx])
        img = (img - self.mean) / self.std
        if self.train and random.random() < 0.5:
            img = img.flip(-1)
        return img, int(self.labels[idx])


class SmallNet(nn.Module):
    def __init__(self, num_classes=6):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(16)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(32)
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(32 * 81, num_classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.relu(self.bn2(self.conv2(x)))
        x = self.drop(torch.flatten(x, 1))
        return self.fc(x)


def main():
    global best_acc1
    args = parser.parse_args()
    random.seed(args.seed)
    torch.manual_seed(args.seed)
    model = SmallNet()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), args.lr, momentum=0.9, weight_decay=args.wd)
    train_loader = DataLoader(Stripes(500, seed=1, train=True), args.batch_size, shuffle=True)
    val_loader = DataLoader(Stripes(170, seed=2), args.batch_size)
    for epoch in range(args.epochs):
        adjust_learning_rate(optimizer, epoch, args)
        train(train_loader, model, criterion, optimizer, epoch, args)
        acc1 = validate(val_loader, model, criterion)
        is_best = acc1 > best_acc1
        best_acc1 = max(acc1, best_acc1)
        if is_best:
            torch.save({"epoch": epoch + 1, "state_dict": model.state_dict(), "best_acc1": best_acc1}, "model_best.pth.tar")


def train(train_loader, model, criterion, optimizer, epoch, args):
    losses, top1 = AverageMeter("Loss"), AverageMeter("Acc@1")
    model.train()
    end = time.time()
    for i, (images, target) in enumerate(train_loader):
        output = model(images)
        loss = criterion(output, target)
        losses.update(loss.item(), images.size(0))
        top1.update(accuracy(output, target), images.size(0))

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i % args.print_freq == 0:
            print(f"Epoch [{epoch}][{i}/{len(train_loader)}] {time.time() - end:.2f}s {losses} {top1}")


def validate(val_loader, model, criterion):
    losses, top1 = AverageMeter("Loss"), AverageMeter("Acc@1")
    model.eval()
    with torch.no_grad():
        for images, target in val_loader:
            output = model(images)
            losses.update(criterion(output, target).item(), images.size(0))
            top1.update(accuracy(output, target), images.size(0))
    print(f" * {losses} {top1}")
    return top1.avg


class AverageMeter(object):
    def __init__(self, name):
        self.name, self.sum, self.count, self.avg = name, 0, 0, 0

    def update(self, val, n=1):
        self.sum += val * n
        self.count += n
        self.avg = self.sum / self.count

    def __str__(self):
        return f"{self.name} {self.avg:.3f}"


def adjust_learning_rate(optimizer, epoch, args):
    lr = args.lr * (0.1 ** (epoch // 30))
    for param_group in optimizer.param_groups:
        param_group["lr"] = lr


def accuracy(output, target):
    _, pred = output.topk(1, 1)
    return pred.squeeze(1).eq(target).float().mean().item() * 100


if __name__ == "__main__":
    main()
