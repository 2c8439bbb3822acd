import torch.nn as nn
class D(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Linear(4, 4)
        self.verdict = nn.Linear(4, 1)
    def forward(self, x):
        return self.verdict(self.f(x))

