import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from net import pretrained


def build(n_classes):
    model = pretrained()
    model.head = nn.Linear(8, n_classes)
    return model


def train(model, optimizer, loader):
    model.train()
    for x, y in loader:
        main_loss = nn.functional.cross_entropy(model(x), y)
        loss = main_loss + 0.1 * main_loss.detach()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def test(model, loader):
    hits = 0
    with torch.no_grad():
        for x, y in loader:
            hits += (model(x).argmax(1) == y).sum().item()  # expect: SB022
    return hits


def main():
    data = TensorDataset(torch.randn(64, 4), torch.randint(3, (64,)))
    model = build(3).to("cpu")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    train_loader = DataLoader(data, batch_size=8, shuffle=True)
    test_loader = DataLoader(data, batch_size=8)
    for epoch in range(2):
        train(model, optimizer, train_loader)
        print(test(model, test_loader))


main()
