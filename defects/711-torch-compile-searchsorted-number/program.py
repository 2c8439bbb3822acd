import torch


def model(shares):
    return torch.searchsorted(shares, 0.1)


fast = torch.compile(model)
print(fast(torch.tensor([0.1, 0.2, 0.3], dtype=torch.float64)))
