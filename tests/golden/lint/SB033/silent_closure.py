import torch

image = torch.zeros(3, requires_grad=True)
optimizer = torch.optim.LBFGS([image])
for _ in range(3):

    def closure():
        optimizer.zero_grad()
        loss = (image**2).sum()
        loss.backward()
        return loss

    optimizer.step(closure)
