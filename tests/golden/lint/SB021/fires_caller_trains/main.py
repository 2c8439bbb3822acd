import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from engine import evaluate, train


def data(n):
    return TensorDataset(torch.randn(n, 4), torch.randint(2, (n,)))


model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
train_loader = DataLoader(data(64), batch_size=8, shuffle=True)
val_loader = DataLoader(data(16), batch_size=8)
for epoch in range(3):
    train(model, criterion, optimizer, train_loader)
    print(evaluate(model, criterion, val_loader))
