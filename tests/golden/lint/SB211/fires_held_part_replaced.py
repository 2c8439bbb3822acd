from torch import nn, optim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Linear(4, 8)
        self.fc = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc(self.features(x))


def b(loader):
    model = Net()
    optimizer = optim.Adam(model.fc.parameters(), lr=1e-3)
    model.fc = nn.Sequential(nn.Linear(8, 5), nn.ReLU(), nn.Linear(5, 2))  # expect: SB211
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()
