import torch
from torch import nn
from torch.utils.data import DataLoader


class Part(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.fc = nn.Linear(n_in, n_out)
        self.bn = nn.BatchNorm1d(n_out)

    def forward(self, x):
        return self.bn(self.fc(x))


def main(train_set, val_set):
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=32)
    models = {"encoder": Part(40, 20), "head": Part(20, 5)}
    params = list(models["encoder"].parameters()) + list(models["head"].parameters())
    optimizer = torch.optim.Adam(params)
    for epoch in range(10):
        for m in models.values():
            m.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(models["head"](models["encoder"](x)), y)
            loss.backward()
            optimizer.step()
        for m in models.values():
            m.eval()
        hits = 0
        with torch.no_grad():
            for x, y in val_loader:
                out = models["head"](models["encoder"](x))
                hits += (out.argmax(1) == y).sum().item()
        print(epoch, hits)
