from torch import nn


class Net(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.down = nn.ModuleDict({f"d{i}": nn.Linear(a, b) for i, (a, b) in enumerate(zip(sizes, sizes[1:]))})

    def forward(self, x):
        for layer in self.down.values():
            x = layer(x)
        return x


class Late(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.heads = {f"h{i}": nn.Linear(n, 1) for i, n in enumerate(sizes)}
        for name, head in self.heads.items():
            self.add_module(name, head)
