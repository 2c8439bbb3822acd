import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        logits = self.fc(x)
        return logits, F.softmax(logits, dim=1)


model = Net()
x, y = torch.zeros(2, 4), torch.zeros(2, dtype=torch.long)
logits, probabilities = model(x)
good = F.cross_entropy(logits, y)
bad = F.cross_entropy(probabilities, y)  # expect: SB101
also = F.cross_entropy(model(x)[1], y)  # expect: SB101
fine = F.cross_entropy(model(x)[0], y)
