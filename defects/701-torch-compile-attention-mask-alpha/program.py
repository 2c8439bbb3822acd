import torch


def model(q, k, v, mask):
    scores = q @ k.transpose(-2, -1) / 2.0
    return torch.add(scores, mask, alpha=2.0).softmax(-1) @ v


fast = torch.compile(model)
print(fast(*(torch.zeros(1, 1, 2, 4), torch.zeros(1, 1, 2, 4), torch.eye(2, 4).reshape(1, 1, 2, 4), torch.tensor([[0.0, -1.0], [0.0, -1.0]]))))
