import torch
import torch.nn.functional as F


def elbo(recon, x, mu, logvar, beta=1.0):
    rec = F.binary_cross_entropy_with_logits(recon, x, reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return (rec + beta * kld) / x.size(0)
