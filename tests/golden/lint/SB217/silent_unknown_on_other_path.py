import torch


def weights(draw, n, half):
    lam = draw(n)
    if half:
        lam = torch.cat((lam, torch.ones(n)))
    return torch.tensor(lam).unsqueeze(1)
