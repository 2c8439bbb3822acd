from torch import nn

from parts import Selection


class Net(nn.Module):
    def __init__(self, names):
        super().__init__()
        self.scalers = {name: nn.Linear(1, 8) for name in names}
        self.select = Selection(scalers=self.scalers)

    def forward(self, x):
        return self.select(x)
