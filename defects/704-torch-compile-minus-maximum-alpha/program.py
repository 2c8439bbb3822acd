import torch


def model(x):
    scaled = x * 3.0
    return torch.sub(scaled, scaled.amax(-1, keepdim=True), alpha=2)


fast = torch.compile(model)
print(fast(*(torch.tensor([[0.0, 1.0]]),)))
