import torch


def model(x):
    y = (x * 0.001).half()
    return y - y.amax(-1, keepdim=True)


fast = torch.compile(model)
print(fast(torch.tensor([70000.0, 80000.0, 75000.0])))
