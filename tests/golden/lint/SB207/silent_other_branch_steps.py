"""Each branch clips before its own step; no way leads from one step to the other's clipping without new gradients."""
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler('cuda') if torch.cuda.is_available() else None


def train(batches, parts):
    for x in batches:
        optimizer.zero_grad()
        for _ in range(parts):
            loss = model(x).pow(2).mean()
            if scaler is not None:
                scaler.scale(loss).backward()
            else:
                loss.backward()
        if scaler is not None:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
        else:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
