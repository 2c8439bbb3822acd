import torch
from torch import nn
from torch.nn import functional as F

from diffusers import DDPMScheduler


def sample(net, x):
    scheduler = DDPMScheduler()
    for t in scheduler.timesteps:
        x = scheduler.step(net(x, t), t, x).prev_sample
    return x
