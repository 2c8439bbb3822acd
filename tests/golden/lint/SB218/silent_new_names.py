import torch
from torch import nn

scaler = torch.amp.GradScaler("cuda")
with torch.amp.autocast("cuda"):
    y = nn.functional.interpolate(torch.ones(1, 1, 2, 2), scale_factor=2)
nn.init.xavier_uniform_(y)
f = torch.fft.fft(torch.ones(3))
