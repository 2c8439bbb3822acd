import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.fc(self.drop(x))


def run_epoch(model, loader, optimizer=None):
    training = optimizer is not None
    model.train()  # expect: SB022
    total = 0.0
    with torch.set_grad_enabled(training):
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            if training:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss.item()
    return total


@torch.no_grad()
def predict(model, x):
    model.eval()
    return model(x).argmax(1)


def main(train_loader, val_loader):
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(5):
        run_epoch(model, train_loader, optimizer)
        print(run_epoch(model, val_loader))
    print(predict(model, torch.randn(2, 4)))
