import torch
from torch import nn


from accelerate import Accelerator


def train(model, loader, optimizer):
    accelerator = Accelerator()
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(3):
        total_loss = 0.0
        for batch in loader:
            loss, _ = model(**batch)
            total_loss += loss.float()
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
            print(total_loss.item())
            total_loss = 0.0
        print(total_loss / len(loader))
