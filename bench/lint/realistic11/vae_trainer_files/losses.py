"""The two terms of the bound."""
import torch
import torch.nn.functional as F


def elbo_terms(logits, x, mu, logvar):
    rec = F.binary_cross_entropy_with_logits(logits, x, reduction="sum") / x.shape[0]
    kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp(), dim=1).mean()
    return rec, kl


def beta_at(step: int, ramp: int) -> float:
    return min(1.0, (step + 1) / ramp)
