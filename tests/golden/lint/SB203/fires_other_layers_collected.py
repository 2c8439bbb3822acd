from torch import nn


class Net(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.parts = [nn.Linear(4, n) for n in sizes]  # expect: SB203
        heads = []
        for n in sizes:
            heads.append(nn.Linear(n, 1))
        self.heads = nn.ModuleList(heads)

    def forward(self, x):
        return [head(part(x)) for head, part in zip(self.heads, self.parts)]
