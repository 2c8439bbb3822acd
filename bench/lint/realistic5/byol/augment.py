import torch


class TwoViews:
    """Two random views of a signal."""

    def __init__(self, noise=0.1, drop=0.2):
        self.noise = noise
        self.drop = drop

    def one(self, x):
        keep = (torch.rand_like(x) > self.drop).float()
        return x * keep + self.noise * torch.randn_like(x)

    def __call__(self, x):
        return self.one(x), self.one(x)
