import torch


def model(x):
    return torch.cumsum(torch.full((4,), 2.5), 0, dtype=torch.int64) + x


fast = torch.compile(model)
print(fast(*(torch.zeros(4, dtype=torch.int64),)))
