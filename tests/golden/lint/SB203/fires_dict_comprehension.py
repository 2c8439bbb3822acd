from torch import nn


def block(a, b):
    return nn.Sequential(nn.Linear(a, b), nn.ReLU())


class Net(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.down = {f"d{i}": block(a, b) for i, (a, b) in enumerate(zip(sizes, sizes[1:]))}  # expect: SB203

    def forward(self, x):
        for layer in self.down.values():
            x = layer(x)
        return x
