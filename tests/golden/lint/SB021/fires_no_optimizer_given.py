import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(20, 64)
        self.drop = nn.Dropout(0.3)
        self.b = nn.Linear(64, 5)

    def forward(self, x):
        return self.b(self.drop(F.relu(self.a(x))))


def loaders():
    data = TensorDataset(torch.randn(512, 20), torch.randint(0, 5, (512,)))
    train_set, val_set = random_split(data, [400, 112])
    return DataLoader(train_set, batch_size=32, shuffle=True), DataLoader(val_set, batch_size=64)


def one_epoch(model, batches, optimizer=None):
    model.train() if optimizer else model.eval()
    losses = []
    for x, y in batches:
        if True:
            loss = F.cross_entropy(model(x), y)  # expect: SB021
        losses.append(loss.item())
        if optimizer is None:
            continue
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return sum(losses) / len(losses)


def main():
    train_loader, val_loader = loaders()
    model = Net()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(10):
        tr = one_epoch(model, train_loader, optimizer)
        va = one_epoch(model, val_loader)
        print(epoch, tr, va)


if __name__ == "__main__":
    main()
