import torch

w = torch.zeros(3, requires_grad=True)
for x, y in [(torch.zeros(2, 3), torch.zeros(2))]:
    loss = ((x @ w - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
