from torch import nn


class Head(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.project = nn.Linear(width, 4)
        self.softmax = nn.Softmax()  # expect: SB214
        self.last = nn.Sequential(nn.Linear(4, 4), nn.LogSoftmax())  # expect: SB214
        self.gate = nn.Softmax()  # expect: SB214

    def forward(self, x):
        local = nn.Softmin()  # expect: SB214
        return self.last(self.softmax(local(self.project(x))))


class Gated(Head):
    def forward(self, x):
        return self.gate(self.project(x))
