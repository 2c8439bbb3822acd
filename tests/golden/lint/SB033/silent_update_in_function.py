import torch


def sgd(parameters, rate):
    with torch.no_grad():
        for p in parameters:
            p -= rate * p.grad
            p.grad.zero_()


w = torch.zeros(3, requires_grad=True)
for x, y in [(torch.zeros(2, 3), torch.zeros(2))]:
    loss = ((x @ w - y) ** 2).mean()
    loss.backward()
    sgd([w], 0.1)
