from torch import nn


class Scorer(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.sizes = tuple(int(n) for n in sizes)
        self.tables = nn.ModuleList(tuple(nn.Embedding(n, 4) for n in sizes))
