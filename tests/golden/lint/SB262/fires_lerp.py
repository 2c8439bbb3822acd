import torch


@torch.no_grad()
def update(ema, net, decay):
    for a, b in zip(ema.parameters(), net.parameters()):
        a.lerp_(b, decay)  # expect: SB262
