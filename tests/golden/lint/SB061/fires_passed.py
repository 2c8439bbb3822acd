import torch
from torch import nn
from torch.utils.data import DataLoader

from digits import Digits


def train_one_epoch(model, optimizer, data, device):
    model.train()
    for step, (images, labels) in enumerate(data):
        images, labels = images.to(device), labels.to(device)
        loss = nn.functional.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main(device="cpu"):
    model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(Digits("train"), batch_size=64, num_workers=2)  # expect: SB061
    for _ in range(10):
        train_one_epoch(model, optimizer, loader, device)


if __name__ == "__main__":
    main()
