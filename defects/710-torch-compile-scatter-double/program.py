import torch


def model(labels):
    return torch.full((3, 4), 0.1, dtype=torch.float64).scatter(1, labels, 0.7)


fast = torch.compile(model)
print(fast(torch.tensor([[1], [0], [3]])))
