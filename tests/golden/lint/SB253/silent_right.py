import torch


def sample(mu, logvar, log_std):
    eps = torch.randn_like(mu)
    std = torch.exp(logvar / 2)
    half = logvar.mul(0.5).exp_()
    var = torch.exp(logvar)
    other = torch.exp(log_std)
    return mu + std * eps, mu + half * eps, mu + var.sqrt() * eps, mu + other * eps
