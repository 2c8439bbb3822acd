import torch


def model(codes):
    return torch.softmax(codes * 0.1, -1)


fast = torch.compile(model)
print(fast(torch.tensor([-100, 100, 3, 50], dtype=torch.int8)))
