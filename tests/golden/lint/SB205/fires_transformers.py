import torch
from torch import nn
from transformers import get_linear_schedule_with_warmup


def train(model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    scheduler = get_linear_schedule_with_warmup(optimizer, 10, 100)
    for x, y in loader:
        nn.functional.cross_entropy(model(x), y).backward()
        scheduler.step()  # expect: SB205
        optimizer.step()
        optimizer.zero_grad()
