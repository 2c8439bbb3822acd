import torch
from torch import nn
from transformers import get_linear_schedule_with_warmup


def fit(model, train_loader, epochs):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
    total = len(train_loader) * epochs
    scheduler = get_linear_schedule_with_warmup(optimizer, num_warmup_steps=100, num_training_steps=total)
    for epoch in range(epochs):
        for step, batch in enumerate(train_loader):
            optimizer.zero_grad()
            model(**batch).loss.backward()
            optimizer.step()
        scheduler.step()  # expect: SB250
