"""Losses of a Wasserstein GAN with gradient penalty (Gulrajani et al. 2017)."""
import torch


def critic_loss(critic, real, fake):
    return critic(fake).mean() - critic(real).mean()


def generator_loss(critic, fake):
    return -critic(fake).mean()


def gradient_penalty(critic, real, fake):
    alpha = torch.rand(real.size(0), 1, device=real.device)
    mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    score = critic(mixed)
    grad, = torch.autograd.grad(
        outputs=score,
        inputs=mixed,
        grad_outputs=torch.ones_like(score),
        create_graph=True,
    )
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()
