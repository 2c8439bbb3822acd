"""Which customers leave: a table, a weighted loss, accumulation over micro-batches."""

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

MICRO = 4


def customers(n, seed):
    g = torch.Generator().manual_seed(seed)
    months = 60 * torch.rand(n, generator=g)
    calls = torch.poisson(torch.full((n,), 2.0), generator=g)
    bill = 20 + 80 * torch.rand(n, generator=g)
    risk = 0.6 * calls - 0.05 * months + 0.01 * bill - 0.5
    leaves = (torch.rand(n, generator=g) < torch.sigmoid(risk)).float()
    return torch.stack([months, calls, bill], dim=1), leaves


class Table(Dataset):
    def __init__(self, x, y, mean, std):
        self.x = (x - mean) / std
        self.y = y

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class ChurnNet(nn.Module):
    def __init__(self, n_in=3, width=24):
        super().__init__()
        self.hidden = nn.Sequential(nn.Linear(n_in, width), nn.ReLU(), nn.Dropout(0.2), nn.Linear(width, width), nn.ReLU())
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(self.hidden(x)).squeeze(-1)


def load():
    x_train, y_train = customers(480, 0)
    x_test, y_test = customers(160, 1)
    mean, std = x_train.mean(dim=0), x_train.std(dim=0)
    train_set = Table(x_train, y_train, mean, std)
    test_set = Table(x_test, y_test, mean, std)
    weight = (y_train == 0).sum() / (y_train == 1).sum()
    return train_set, test_set, weight


def fit_epoch(net, loader, criterion, optimizer):
    net.train()
    total = 0.0
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader, start=1):
        loss = criterion(net(x), y)
        (loss / MICRO).backward()
        if i % MICRO == 0:
            optimizer.step()
            optimizer.zero_grad()
        total += loss.item()
    return total / len(loader)


def test(net, loader):
    net.eval()
    hits = 0
    with torch.no_grad():
        for x, y in loader:
            hits += ((net(x) > 0).float() == y).sum().item()
    return hits / len(loader.dataset)


def main(epochs=1):
    torch.manual_seed(9)
    train_set, test_set, weight = load()
    train_loader = DataLoader(train_set, batch_size=16, shuffle=True)
    test_loader = DataLoader(test_set, batch_size=64)
    net = ChurnNet()
    criterion = nn.BCEWithLogitsLoss(pos_weight=weight)
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-4)
    for epoch in range(epochs):
        loss = fit_epoch(net, train_loader, criterion, optimizer)
        print(f"{epoch}: loss {loss:.3f} accuracy {test(net, test_loader):.3f}")


if __name__ == "__main__":
    main()
