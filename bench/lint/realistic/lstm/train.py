import math

import torch
import torch.nn as nn

from forecast import Forecaster, detached

WINDOW = 16


def series(n, seed):
    torch.manual_seed(seed)
    t = torch.arange(n, dtype=torch.float32)
    return torch.sin(2 * math.pi * t / 25) + 0.5 * torch.sin(2 * math.pi * t / 7) + 0.05 * torch.randn(n)


def windows(values, batch):
    per_row = (len(values) - 1) // batch
    rows = values[: per_row * batch].view(batch, per_row)
    for start in range(0, per_row - WINDOW - 1, WINDOW):
        yield rows[:, start : start + WINDOW, None], rows[:, start + WINDOW]


def train_epoch(model, values, criterion, optimizer, batch=8):
    model.train()
    state = model.init_state(batch)
    losses = []
    for x, y in windows(values, batch):
        state = detached(state)
        predicted, state = model(x, state)
        loss = criterion(predicted, y)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


def validate(model, values, criterion, batch=8):
    model.eval()
    state = model.init_state(batch)
    total, n = 0.0, 0
    with torch.no_grad():
        for x, y in windows(values, batch):
            predicted, state = model(x, state)
            total += criterion(predicted, y).item()
            n += 1
    return total / n


def main(epochs=1):
    model = Forecaster()
    criterion = nn.MSELoss()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 3, gamma=0.7)
    train_values, val_values = series(1500, 0), series(600, 1)
    for epoch in range(epochs):
        train_loss = train_epoch(model, train_values, criterion, optimizer)
        val_loss = validate(model, val_values, criterion)
        scheduler.step()
        print(f"{epoch} train {train_loss:.4f} val {val_loss:.4f}")


if __name__ == "__main__":
    main()
