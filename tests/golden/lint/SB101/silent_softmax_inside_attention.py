import torch
from torch import nn
from torch.nn import functional as F

class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(4, 4)
        self.out = nn.Linear(4, 3)

    def forward(self, x):
        weights = F.softmax(self.query(x), dim=-1)
        return self.out(weights * x)


net = Attention()
loss = nn.CrossEntropyLoss()(net(torch.zeros(2, 4)), torch.zeros(2, dtype=torch.long))
