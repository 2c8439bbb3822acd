"""A small convolutional network on squares and discs, one file, no classes but the network."""

import argparse
import random

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def draw(n, size=16):
    """n grey images of a square (0), a disc (1) or a cross (2)."""
    images = 0.1 * torch.randn(n, 1, size, size)
    labels = torch.randint(0, 3, (n,))
    rows = torch.arange(size).view(-1, 1).float()
    cols = torch.arange(size).view(1, -1).float()
    for i, label in enumerate(labels.tolist()):
        cy, cx = random.uniform(5, 11), random.uniform(5, 11)
        if label == 0:
            mask = ((rows - cy).abs() < 3) & ((cols - cx).abs() < 3)
        elif label == 1:
            mask = (rows - cy) ** 2 + (cols - cx) ** 2 < 9
        else:
            mask = ((rows - cy).abs() < 1) | ((cols - cx).abs() < 1)
        images[i, 0][mask] += 1.0
    return images, labels


class ShapeNet(nn.Module):
    def __init__(self, width=16, n_classes=3):
        super().__init__()
        self.conv1 = nn.Conv2d(1, width, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, 2 * width, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(2 * width)
        self.dropout = nn.Dropout(0.25)
        self.fc = nn.Linear(2 * width * 16, n_classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)
        x = self.dropout(torch.flatten(x, 1))
        return self.fc(x)


def accuracy(net, loader, device):
    net.eval()
    hits, seen = 0, 0
    with torch.no_grad():
        for images, labels in loader:
            images, labels = images.to(device), labels.to(device)
            guess = net(images).argmax(dim=1)
            hits += (guess == labels).sum().item()
            seen += labels.numel()
    return hits / seen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--lr", type=float, default=0.05)
    args = parser.parse_args()
    torch.manual_seed(0)
    random.seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_loader = DataLoader(TensorDataset(*draw(256)), batch_size=32, shuffle=True)
    val_loader = DataLoader(TensorDataset(*draw(96)), batch_size=32)
    net = ShapeNet().to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, step_size=5, gamma=0.3)
    for epoch in range(args.epochs):
        net.train()
        running = 0.0
        for images, labels in train_loader:
            images, labels = images.to(device), labels.to(device)
            optimizer.zero_grad()
            loss = criterion(net(images), labels)
            loss.backward()
            optimizer.step()
            running += loss.item() * labels.numel()
        schedule.step()
        print(f"epoch {epoch}: loss {running / 256:.3f}, accuracy {accuracy(net, val_loader, device):.3f}")
    torch.save(net.state_dict(), "shapes.pt")


if __name__ == "__main__":
    main()
