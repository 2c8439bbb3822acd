import torch
from torch import nn
from torch.nn import functional as F

class Net3(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)

    def forward(self, x):
        x = self.fc(x)
        if not self.training:
            x = torch.sigmoid(x)
        return x


net = Net3()
loss = F.binary_cross_entropy_with_logits(net(torch.zeros(2, 4)), torch.zeros(2, 1))
