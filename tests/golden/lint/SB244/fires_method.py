import torch
import torch.nn as nn


class Mix(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = torch.zeros(3).requires_grad_()  # expect: SB244
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return torch.sigmoid(self.gate) * self.fc(x)
