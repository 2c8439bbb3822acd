import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn


def main(loader):
    accelerator = Accelerator(gradient_accumulation_steps=4)
    model = nn.Linear(4, 2)
    optimizer = torch.optim.Adam(model.parameters())
    model, loader = accelerator.prepare(model, loader)  # expect: SB224
    for x, y in loader:
        with accelerator.accumulate(model):
            accelerator.backward(F.cross_entropy(model(x), y))
            optimizer.step()
            optimizer.zero_grad()
