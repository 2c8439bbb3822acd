import torch


def truncated(weights, std):
    made = torch.zeros(3, 4)
    made.normal_(0, std).clamp(0.0, 2.0 * std)  # expect: SB201
    return made + weights
