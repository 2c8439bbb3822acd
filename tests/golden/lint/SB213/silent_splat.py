import torch
from torch.utils.checkpoint import checkpoint


def run(options):
    return checkpoint(torch.sin, torch.zeros(3), **options)
