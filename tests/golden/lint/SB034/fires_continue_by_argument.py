import torch
import torch.nn.functional as F
from torch import nn


def main(loader, model, args):
    opt = torch.optim.AdamW(model.parameters())
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        loss.backward()  # expect: SB034
        if (i + 1) % args.grad_accum_steps != 0:
            continue
        opt.step()
        opt.zero_grad()
