import torch
from accelerate import Accelerator


def main(model, optimizer, loader):
    accelerator = Accelerator(gradient_accumulation_steps=4)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for i, batch in enumerate(loader):
        loss = model(**batch).loss
        accelerator.backward(loss)
        if i % 4 == 3:
            optimizer.step()
            optimizer.zero_grad()
