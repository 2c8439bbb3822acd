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


@torch.inference_mode()
def run(loader):
    net = Net()
    net.eval()
    for x in loader:
        print(net(x).argmax(1))
