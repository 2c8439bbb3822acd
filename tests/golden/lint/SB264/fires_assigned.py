import torch
from accelerate import Accelerator

accelerator = Accelerator(gradient_accumulation_steps=4)


def fit(model, optimizer, loader, accumulation):
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for batch in loader:
        with accelerator.accumulate(model):
            loss = model(**batch).loss
            loss = loss / accumulation  # expect: SB264
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
