import torch.nn.functional as F


def train(model, loader, optimizer, accum_steps):
    for i, (x, y) in enumerate(loader):
        last = (i + 1) % accum_steps == 0 or i + 1 == len(loader)
        optimizer.zero_grad()  # expect: SB031
        loss = F.cross_entropy(model(x), y) / accum_steps
        loss.backward()
        if last:
            optimizer.step()
