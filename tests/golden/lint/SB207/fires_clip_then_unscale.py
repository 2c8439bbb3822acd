import torch
import torch.nn.functional as F
from torch import nn


def train(model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.cuda.amp.GradScaler()
    for i, (x, y) in enumerate(loader):
        with torch.autocast("cuda"):
            loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # expect: SB207
        scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()
