import torch
from torch import nn
from torch.nn import functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.fc(self.drop(x))


def attack(x, y):
    net = Net()
    net.eval()
    x.requires_grad_()
    out = net(x)
    print(out.argmax(1))
    F.cross_entropy(out, y).backward()
    return x.grad.sign()
