"""What a function of this file reads from the device, or waits for, is waited for."""
import time

import torch
from torch import nn


def wait(device, enabled):
    if enabled and device.type == 'cuda':
        torch.cuda.synchronize(device)


def accuracy(model, batches):
    n = 0
    for x in batches:
        n += (model(x).argmax(-1) == 1).sum().item()
    return n


def timed(x):
    model = nn.Linear(4, 2).cuda()
    start = time.time()
    y = model(x)
    wait(x.device, True)
    return y, time.time() - start


def timed_to_the_end(x, batches):
    model = nn.Linear(4, 2).cuda()
    start = time.time()
    y = model(x)
    n = accuracy(model, batches)
    return y, n, time.time() - start
