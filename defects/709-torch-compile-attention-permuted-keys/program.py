import torch


def model(q, k, v):
    return torch.softmax(q @ k.permute(1, 0, 3, 2) * 0.5, -1) @ v


tokens = torch.linspace(-40, 60, 64).sin().reshape(2, 2, 4, 4)
fast = torch.compile(model)
print(fast(tokens, tokens, tokens))
