import torch
from torch import nn
from torch.nn import functional as F

class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        return F.softmax(self.fc(x), dim=1)


net = Classifier()
criterion = nn.CrossEntropyLoss()
loss = criterion(net(torch.zeros(2, 4)), torch.zeros(2, dtype=torch.long))  # expect: SB101
loss.backward()
