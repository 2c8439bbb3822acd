import torch
import torch.nn.functional as F


def loss_function(out, x, mu, log_var):
    bce = F.binary_cross_entropy(out, x, reduction="sum")
    kl = 0.5 * torch.sum(1 + log_var - mu.pow(2) - log_var.exp())
    loss = bce + kl  # expect: SB252
    return loss
