import torch
from accelerate import Accelerator
from torch import nn


def main(args, loader):
    accelerator = Accelerator(gradient_accumulation_steps=args.steps)
    model = nn.Linear(4, 2)
    optimizer = torch.optim.Adam(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for x, y in loader:
        with accelerator.accumulate(model):
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()  # expect: SB228
            optimizer.step()
            optimizer.zero_grad()
