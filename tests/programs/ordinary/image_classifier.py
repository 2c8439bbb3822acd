"""Convolution, batch normalisation and Adam, with an evaluation after each epoch."""

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(inplace=True), nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d(1))
        self.classifier = nn.Linear(16, classes)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))


def evaluate(model, loader):
    model.eval()
    right = 0
    with torch.inference_mode():
        for x, y in loader:
            right += (model(x).argmax(1) == y).sum().item()
    return right


torch.manual_seed(0)
images = torch.randn(48, 1, 12, 12)
labels = (images.mean((1, 2, 3)) > 0).long()
train = DataLoader(TensorDataset(images[:32], labels[:32]), batch_size=8, shuffle=True)
test = DataLoader(TensorDataset(images[32:], labels[32:]), batch_size=8)
model = Net()
compiled = torch.compile(model)
optimizer = optim.Adam(model.parameters(), lr=3e-3)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    compiled.train()
    total = 0.0
    for x, y in train:
        optimizer.zero_grad()
        loss = criterion(compiled(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch}: loss {total / len(train):.6f}, {evaluate(compiled, test)} of 16 right")
