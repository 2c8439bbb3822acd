import torch


def add_noise(action, bounds):
    noise = torch.rand(action.shape)
    for i in range(action.shape[-1]):
        low, high = bounds[i]
        noise.view(-1, noise.shape[-1])[:, i].clamp(low, high)  # expect: SB201
    noise = noise * 2 - 1
    noise.clamp(-1.0, 1.0)  # expect: SB201
    return action + noise
