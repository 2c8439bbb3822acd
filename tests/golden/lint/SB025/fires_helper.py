import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 8), nn.Dropout(), nn.Linear(8, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def evaluate(net, batches):
    net.eval()
    with torch.no_grad():
        for x, y in batches:
            print((net(x).argmax(1) == y).sum().item())


def main(train, val):
    for epoch in range(3):
        for x, y in train:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
        evaluate(model, val)  # expect: SB025
