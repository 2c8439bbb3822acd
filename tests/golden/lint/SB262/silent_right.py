import torch


@torch.no_grad()
def update(ema, net, shadow, decay, tau=0.005):
    for a, b in zip(ema.parameters(), net.parameters()):
        a.lerp_(b, 1 - decay)
        a.lerp_(b, 1 - net.decay)
        a.mul_(decay).add_(b, alpha=1 - decay)
        a.copy_(decay * a + (1 - decay) * b)
    for target_param, param in zip(ema.parameters(), net.parameters()):
        target_param.data.copy_(tau * param.data + (1 - tau) * target_param.data)
    running = torch.zeros(3)
    running.mul_(1 - tau).add_(tau * torch.ones(3))
