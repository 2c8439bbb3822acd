import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.fc(self.drop(x))


if __name__ == "__main__":
    net = Net().eval()
    y = net(torch.randn(1, 4))
    print(y.argmax(1), y.mean(), y.max())
