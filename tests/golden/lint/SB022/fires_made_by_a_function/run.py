import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from core import fit_epoch, score


def build():
    return nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.5), nn.Linear(8, 4))


def data(n):
    return TensorDataset(torch.randn(n, 8), torch.randint(4, (n,)))


train_loader = DataLoader(data(64), batch_size=8, shuffle=True)
val_loader = DataLoader(data(16), batch_size=8)
net = build()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    fit_epoch(net, train_loader, optimizer)
    print(score(net, val_loader))
