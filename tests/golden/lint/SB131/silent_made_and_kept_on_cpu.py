"""Another function moves its model; this one makes its own, which stays on the CPU."""
import time

import torch
from torch import nn


def smoke_test():
    start = time.time()
    model = nn.Linear(256, 256).eval()
    sample = torch.randn(8, 256)
    with torch.no_grad():
        for _ in range(10):
            _ = model(sample)
    return time.time() - start


def on_device(model):
    if torch.cuda.is_available():
        model = model.cuda()
    wide = nn.Linear(256, 256).to('cuda')
    return model, wide
