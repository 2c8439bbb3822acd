from torch import nn


class Net(nn.Module):
    def __init__(self, depth):
        super().__init__()
        blocks = []
        for _ in range(depth):
            blocks.append(nn.Sequential(nn.Linear(4, 4), nn.ReLU()))
        self.blocks = blocks  # expect: SB203

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
