import torch.nn.functional as F


def train(model, loader, optimizer, accum_steps):
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y) / accum_steps
        loss.backward()
        if (i + 1) % accum_steps == 0:
            optimizer.step()
        optimizer.zero_grad()  # expect: SB031
