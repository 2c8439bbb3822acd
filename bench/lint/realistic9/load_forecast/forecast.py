"""Hourly load forecast: the last 48 hours -> the next 12, with a GRU encoder and calendar features."""
import math
from collections import namedtuple
from typing import NamedTuple

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

Window = namedtuple("Window", "past calendar future")


class Opts(NamedTuple):
    history: int = 48
    horizon: int = 12
    hidden: int = 32
    batch: int = 64
    lr: float = 3e-3
    epochs: int = 1
    quantiles: tuple = (0.1, 0.5, 0.9)


def simulate(hours: int = 2400) -> torch.Tensor:
    torch.manual_seed(21)
    t = torch.arange(hours, dtype=torch.float32)
    daily = 200 * torch.sin(2 * math.pi * t / 24) + 60 * torch.sin(4 * math.pi * t / 24)
    weekly = 80 * torch.cos(2 * math.pi * t / 168)
    noise = torch.zeros(hours)
    for i in range(1, hours):
        noise[i] = 0.8 * noise[i - 1] + 15 * torch.randn(())
    return 900 + 0.05 * t + daily + weekly + noise


def calendar(t: torch.Tensor) -> torch.Tensor:
    day, week = 2 * math.pi * t / 24, 2 * math.pi * t / 168
    return torch.stack([day.sin(), day.cos(), week.sin(), week.cos()], dim=-1)


class Windows(Dataset):
    def __init__(self, series, begin, end, mean, std, o: Opts):
        self.z = (series - mean) / std
        self.starts = range(begin, end - o.history - o.horizon + 1)
        self.o = o

    def __len__(self):
        return len(self.starts)

    def __getitem__(self, i):
        a = self.starts[i]
        b = a + self.o.history
        c = b + self.o.horizon
        return Window(self.z[a:b], calendar(torch.arange(a, c)), self.z[b:c])


class Forecaster(nn.Module):
    def __init__(self, o: Opts):
        super().__init__()
        self.o = o
        self.gru = nn.GRU(1 + 4, o.hidden, batch_first=True)
        self.step = nn.Sequential(nn.Linear(o.hidden + 4, o.hidden), nn.ReLU(), nn.Linear(o.hidden, len(o.quantiles)))

    def forward(self, past, cal):
        n = self.o.history
        _, h = self.gru(torch.cat([past.unsqueeze(-1), cal[:, :n]], dim=-1))
        state = h[-1].unsqueeze(1).expand(-1, self.o.horizon, -1)
        # the net tells the difference from the last known value
        return past[:, -1, None, None] + self.step(torch.cat([state, cal[:, n:]], dim=-1))


def pinball(pred, future, quantiles):
    q = torch.tensor(quantiles)
    error = future.unsqueeze(-1) - pred
    return torch.maximum(q * error, (q - 1) * error).mean()


def evaluate(net, loader, mean, std, o):
    net.eval()
    absolute, inside, n = 0.0, 0.0, 0
    naive = 0.0
    with torch.no_grad():
        for past, cal, future in loader:
            pred = net(past, cal) * std + mean
            truth = future * std + mean
            absolute += (pred[..., 1] - truth).abs().sum().item()
            inside += ((truth >= pred[..., 0]) & (truth <= pred[..., 2])).sum().item()
            day_before = past[:, -24:-24 + o.horizon] * std + mean
            naive += (day_before - truth).abs().sum().item()
            n += truth.numel()
    return absolute / n, absolute / naive, inside / n


def train(o: Opts = Opts()):
    series = simulate()
    a, b = int(0.7 * len(series)), int(0.85 * len(series))
    mean, std = series[:a].mean(), series[:a].std()
    sets = [Windows(series, lo, hi, mean, std, o) for lo, hi in ((0, a), (a, b), (b, len(series)))]
    fit, val, test = (DataLoader(s, o.batch, shuffle=i == 0) for i, s in enumerate(sets))
    net = Forecaster(o)
    opt = torch.optim.RAdam(net.parameters(), lr=o.lr)
    best, kept = math.inf, None
    for epoch in range(o.epochs):
        net.train()
        running = 0.0
        for w in fit:
            past, cal, future = w
            loss = pinball(net(past, cal), future, o.quantiles)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_value_(net.parameters(), 0.5)
            opt.step()
            running += loss.item()
        mae, mase, cover = evaluate(net, val, mean, std, o)
        print(f"{epoch} pinball {running / len(fit):.4f} mae {mae:.2f} mase {mase:.3f} inside {cover:.2%}")
        if mae < best:
            best, kept = mae, {k: v.clone() for k, v in net.state_dict().items()}
    net.load_state_dict(kept)
    print("test: mae %.2f mase %.3f inside %.3f" % evaluate(net, test, mean, std, o))


if __name__ == "__main__":
    train()
