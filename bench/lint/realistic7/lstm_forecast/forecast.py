"""Forecasts the next 6 hours of electricity load from the last 36, with an LSTM encoder-decoder."""
import random

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset
from tqdm import trange

LOOKBACK, HORIZON = 36, 6
EPOCHS, BATCH, LR = 1, 64, 4e-3


def electricity(n=2400, seed=0):
    rng = np.random.default_rng(seed)
    t = np.arange(n)
    load = 50 + 12 * np.sin(2 * np.pi * t / 24) + 5 * np.sin(2 * np.pi * t / 168) + 0.01 * t
    return (load + np.cumsum(rng.normal(0, 0.3, n)) + rng.normal(0, 1.0, n)).astype(np.float32)


class Windows(Dataset):
    def __init__(self, series):
        self.series = torch.from_numpy(series)

    def __len__(self):
        return len(self.series) - LOOKBACK - HORIZON + 1

    def __getitem__(self, i):
        past = self.series[i:i + LOOKBACK]
        future = self.series[i + LOOKBACK:i + LOOKBACK + HORIZON]
        return past.unsqueeze(-1), future


class Seq2Seq(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.encoder = nn.LSTM(1, hidden, num_layers=1, batch_first=True)
        self.cell = nn.LSTMCell(1, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, past, future=None, teacher_forcing=0.0):
        _, (h, c) = self.encoder(past)
        h, c = h.squeeze(0), c.squeeze(0)
        step = past[:, -1]
        outputs = []
        for k in range(HORIZON):
            h, c = self.cell(step, (h, c))
            pred = self.out(h)
            outputs.append(pred)
            if future is not None and random.random() < teacher_forcing:
                step = future[:, k:k + 1]
            else:
                step = pred
        return torch.cat(outputs, dim=1)


def mae(model, loader, mean, std):
    """Mean absolute error in the unit of the series."""
    model.eval()
    err, n = 0.0, 0
    with torch.no_grad():
        for past, future in loader:
            pred = model(past) * std + mean
            true = future * std + mean
            err += (pred - true).abs().sum().item()
            n += true.numel()
    return err / n


def run():
    random.seed(0)
    torch.manual_seed(0)
    series = electricity()
    cut1, cut2 = int(0.7 * len(series)), int(0.85 * len(series))
    mean, std = float(series[:cut1].mean()), float(series[:cut1].std())
    scaled = (series - mean) / std
    train_set = Windows(scaled[:cut1])
    val_set, test_set = Windows(scaled[cut1:cut2]), Windows(scaled[cut2:])
    train_loader = DataLoader(train_set, batch_size=BATCH, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=256)
    test_loader = DataLoader(test_set, batch_size=256)

    model = Seq2Seq()
    optimizer = torch.optim.Adam(model.parameters(), lr=LR)
    criterion = nn.SmoothL1Loss()
    best, wait, patience = float("inf"), 0, 4
    progress = trange(EPOCHS)
    for epoch in progress:
        model.train()
        forcing = max(0.0, 0.8 - 0.1 * epoch)
        total = 0.0
        for past, future in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(past, future, teacher_forcing=forcing), future)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.item() * len(past)
        val = mae(model, val_loader, mean, std)
        progress.set_description(f"train {total / len(train_set):.4f} val {val:.3f}")
        if val < best:
            best, wait = val, 0
            torch.save(model.state_dict(), "forecast.pt")
        else:
            wait += 1
            if wait >= patience:
                break

    model.load_state_dict(torch.load("forecast.pt", weights_only=True))
    print(f"test MAE {mae(model, test_loader, mean, std):.3f} MW")


if __name__ == "__main__":
    run()
