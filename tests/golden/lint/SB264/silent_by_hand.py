import torch
from accelerate import Accelerator


def fit(model, optimizer, loader, accum_steps):
    accelerator = Accelerator()
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for i, batch in enumerate(loader):
        loss = model(**batch).loss / accum_steps
        accelerator.backward(loss)
        if (i + 1) % accum_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
