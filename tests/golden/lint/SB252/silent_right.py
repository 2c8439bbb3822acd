import torch
import torch.nn.functional as F


def loss_function(out, x, mu, log_var):
    bce = F.binary_cross_entropy(out, x, reduction="sum")
    kl = 0.5 * torch.sum(mu.pow(2) + log_var.exp() - 1 - log_var)
    kld = -0.5 * torch.mean(1 + log_var - mu.pow(2) - log_var.exp())
    gain = 0.5 * torch.sum(1 + log_var - mu.pow(2) - log_var.exp())
    elbo = -bce - kld
    return bce + kl + kld, bce - gain, elbo
