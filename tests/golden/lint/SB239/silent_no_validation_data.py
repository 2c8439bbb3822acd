import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def score(model, batches):
    model.eval()
    with torch.no_grad():
        return sum((model(x).argmax(1) == y).sum().item() for x, y in batches)


def main(train_set: TensorDataset, val_set: TensorDataset):
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train_loader = DataLoader(train_set, batch_size=2, shuffle=True)

    for epoch in range(3):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        print(score(model, train_loader))
