import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from engine import run


def main():
    data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
    train, val = DataLoader(data, batch_size=8, shuffle=True), DataLoader(data, 8)
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        run((model, optimizer, nn.CrossEntropyLoss()), [train, val])


main()
