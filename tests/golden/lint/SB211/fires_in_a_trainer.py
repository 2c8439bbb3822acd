from torch import nn, optim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Linear(4, 8)
        self.fc = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc(self.features(x))


class Trainer:
    def __init__(self, loader):
        self.model = Net()
        self.optimizer = optim.SGD(self.model.parameters(), lr=0.1)
        self.model.fc = nn.Linear(8, 5)  # expect: SB211
        self.loader = loader

    def fit(self):
        for x, y in self.loader:
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()
