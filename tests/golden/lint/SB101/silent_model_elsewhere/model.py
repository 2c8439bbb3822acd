import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(x)


class Probabilities(Net):
    def forward(self, x):
        return F.softmax(self.fc(x), dim=1)
