import torch


def sample(mu, log_var):
    eps = torch.randn_like(mu)
    return mu + log_var.exp() * eps  # expect: SB253
