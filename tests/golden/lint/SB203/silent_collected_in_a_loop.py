from torch import nn


class Plain(nn.Module):
    """The layers go through a loop into a list that is given to nn.Sequential."""

    def __init__(self, sizes, activation):
        super().__init__()
        self.layers = []
        for i in range(len(sizes) - 1):
            self.layers.append(nn.Linear(sizes[i], sizes[i + 1]))
        self.functions = [activation for _ in range(len(self.layers) - 1)]
        unique = []
        for layer, function in zip(self.layers[:-1], self.functions):
            unique.append(layer)
            unique.append(function())
        unique.append(self.layers[-1])
        self.model = nn.Sequential(*unique)

    def forward(self, x):
        return self.model(x)


class Wrapped(nn.Module):
    def __init__(self, sizes, wrap):
        super().__init__()
        self.layers = [nn.Linear(4, n) for n in sizes]
        inner = []
        for i, layer in enumerate(self.layers):
            inner.append(wrap(layer))
        self.inner = nn.ModuleList(inner)

    def forward(self, x):
        return [layer(x) for layer in self.inner]


class Comprehended(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.parts = [nn.Linear(4, n) for n in sizes]
        blocks = [nn.Sequential(part, nn.ReLU()) for part in self.parts]
        self.blocks = nn.ModuleList(blocks)
