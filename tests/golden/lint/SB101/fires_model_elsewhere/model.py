import torch.nn as nn
import torch.nn.functional as F


class Base(nn.Module):
    """What the models of this project share."""


class Net(Base):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        return F.softmax(self.fc(x), dim=1)
