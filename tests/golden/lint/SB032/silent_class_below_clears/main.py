import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from base import Base


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 8)
        self.drop = nn.Dropout(0.3)
        self.b = nn.Linear(8, 2)

    def forward(self, x):
        return self.b(self.drop(torch.relu(self.a(x))))


class Classifier(Base):
    def __init__(self, config):
        super().__init__(config)
        self.model = Net()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=config["lr"])
        self.criterion = nn.CrossEntropyLoss()

    def train_step(self, batch):
        x, y = batch
        self.optimizer.zero_grad()
        return self.criterion(self.model(x), y)


def main():
    data = TensorDataset(torch.randn(64, 4), torch.randint(0, 2, (64,)))
    loader = DataLoader(data, batch_size=8, shuffle=True)
    trainer = Classifier({"lr": 0.1})
    trainer.fit(loader, 3)
    trainer.validate(loader)


main()
