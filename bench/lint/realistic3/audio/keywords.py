"""Keyword spotting on raw audio with mixed precision and gradient accumulation."""
import argparse
import os

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset, random_split


class Clips(Dataset):
    def __init__(self, n=160, rate=400):
        rng = np.random.default_rng(0)
        self.labels = rng.integers(0, 4, n)
        t = np.arange(rate) / rate
        self.waves = np.stack([np.sin(2 * np.pi * (5 + 10 * k) * t) for k in self.labels]).astype("float32")
        self.waves += 0.1 * rng.standard_normal(self.waves.shape).astype("float32")

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return torch.from_numpy(self.waves[i])[None], int(self.labels[i])


class M5(nn.Module):
    def __init__(self, n_classes=4, c=16, p=0.2):
        super(M5, self).__init__()
        self.conv1 = nn.Conv1d(1, c, kernel_size=16, stride=4)
        self.bn1 = nn.BatchNorm1d(c)
        self.conv2 = nn.Conv1d(c, 2 * c, kernel_size=3)
        self.bn2 = nn.BatchNorm1d(2 * c)
        self.fc = nn.Linear(2 * c, n_classes)
        self.p = p

    def forward(self, x):
        x = F.max_pool1d(F.relu(self.bn1(self.conv1(x))), 4)
        x = F.max_pool1d(F.relu(self.bn2(self.conv2(x))), 4)
        x = x.mean(dim=-1)
        x = F.dropout(x, p=self.p, training=self.training)
        return F.log_softmax(self.fc(x), dim=1)


def train(args, model, device, loader, optimizer, scaler, epoch):
    model.train()
    optimizer.zero_grad()
    for i, (waves, labels) in enumerate(loader):
        waves, labels = waves.to(device), labels.to(device)
        with torch.autocast(device.type, dtype=torch.bfloat16):
            output = model(waves)
            loss = F.nll_loss(output, labels) / args.accumulate
        scaler.scale(loss).backward()
        if (i + 1) % args.accumulate == 0:
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
        if i % args.log_interval == 0:
            print(f"train {epoch} [{i}/{len(loader)}] {loss.item():.4f}")


def test(model, device, loader):
    model.eval()
    test_loss, correct = 0.0, 0
    with torch.no_grad():
        for waves, labels in loader:
            waves, labels = waves.to(device), labels.to(device)
            output = model(waves)
            test_loss += F.nll_loss(output, labels, reduction="sum").item()
            correct += output.argmax(dim=1).eq(labels).sum().item()
    n = len(loader.dataset)
    print(f"test loss {test_loss / n:.4f} accuracy {correct}/{n}")
    return correct / n


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--accumulate", type=int, default=2)
    parser.add_argument("--log-interval", type=int, default=4)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_set, test_set = random_split(Clips(), [128, 32])
    train_loader = DataLoader(train_set, batch_size=16, shuffle=True)
    test_loader = DataLoader(test_set, batch_size=32)
    model = M5().to(device)
    optimizer = optim.Adam(model.parameters(), lr=1e-2, weight_decay=1e-4)
    scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    scaler = torch.amp.GradScaler(device.type)
    best = 0.0
    for epoch in range(1, args.epochs + 1):
        train(args, model, device, train_loader, optimizer, scaler, epoch)
        accuracy = test(model, device, test_loader)
        scheduler.step()
        if accuracy > best:
            best = accuracy
            torch.save(model.state_dict(), os.path.join(os.getcwd(), "m5.pt"))


if __name__ == "__main__":
    main()
