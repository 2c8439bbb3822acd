import torch
from torch import nn


def soft_update(target, source, tau=0.005):
    for t, s in zip(target.parameters(), source.parameters()):
        t.data.lerp_(s.data, 1 - tau)  # expect: SB262
