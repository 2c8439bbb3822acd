import torch
from torch import nn


@torch.no_grad()
def momentum_update(encoder_q, encoder_k, m=0.999):
    for param_q, param_k in zip(encoder_q.parameters(), encoder_k.parameters()):
        param_k.data = param_k.data * (1.0 - m) + param_q.data * m  # expect: SB262
