import torch
from torch import nn


config = dict(accum=4)


def main(loader, model):
    opt = torch.optim.AdamW(model.parameters())
    for micro, (x, y) in enumerate(loader):
        _, loss = model(x, y)
        (loss / config["accum"]).backward()
        if (micro + 1) % config["accum"]:
            continue
        opt.step()
        opt.zero_grad(set_to_none=True)
