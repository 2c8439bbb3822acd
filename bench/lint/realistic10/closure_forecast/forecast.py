"""Forecast of a seasonal series, written with closures; no class but the network."""
import math
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

WINDOW, HORIZONS, EPOCHS = 24, (1, 3, 6), 3


def series(n=1400, seed=4):
    rng = np.random.default_rng(seed)
    t = np.arange(n)
    daily = np.sin(2 * math.pi * t / 24)
    weekly = 0.5 * np.sin(2 * math.pi * t / 168)
    return (10 + 3 * daily + 2 * weekly + rng.normal(0, 0.3, n)).astype(np.float32)


def cut(values):
    xs, ys = [], []
    for i in range(len(values) - WINDOW - max(HORIZONS) + 1):
        end = i + WINDOW
        xs.append(values[i:end])
        ys.append([values[end + h - 1] for h in HORIZONS])
    return torch.from_numpy(np.stack(xs)), torch.tensor(np.array(ys, dtype=np.float32))


def level(window):
    window = window - window.mean()
    return np.abs(window).mean()


def standardiser(values):
    mu, sd = values.mean(), values.std()
    return (lambda v: (v - mu) / sd), (lambda v: v * sd + mu)


class Stack(nn.Module):
    def __init__(self, widths, n_out, p=0.1):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(a, b) for a, b in zip(widths, widths[1:])])
        self.out = nn.Linear(widths[-1], n_out)
        self.p = p

    def forward(self, x):
        for layer in self.layers:
            x = F.dropout(F.gelu(layer(x)), self.p, training=self.training)
        return self.out(x)


NETWORKS = {
    "small": partial(Stack, [WINDOW, 32]),
    "deep": partial(Stack, [WINDOW, 48, 48]),
}
LOSSES = {
    "huber": partial(F.huber_loss, delta=0.5),
    "mse": F.mse_loss,
}


def pickers():
    return {f"h{h}": (lambda out, k=k: out[:, k]) for k, h in enumerate(HORIZONS)}


def batches(x, y, size, shuffle):
    def epoch():
        order = torch.randperm(len(x)) if shuffle else torch.arange(len(x))
        for idx in order.split(size):
            yield x[idx], y[idx]
    return epoch


def make_step(net, opt, loss_fn, pick):
    def step(x, y):
        out = net(x)
        loss = sum(loss_fn(p(out), p(y)) for p in pick.values()) / len(pick)
        opt.zero_grad()
        loss.backward()
        opt.step()
        return loss.item()
    return step


def make_eval(net, data, pick, undo):
    def evaluate():
        was = net.training
        net.eval()
        with torch.no_grad():
            sums, n = {name: 0.0 for name in pick}, 0
            for x, y in data():
                out = net(x)
                for name, p in pick.items():
                    sums[name] += (undo(p(out)) - undo(p(y))).abs().sum().item()
                n += len(x)
        net.train(was)
        return {name: s / n for name, s in sums.items()}
    return evaluate


def run(network="deep", loss="huber", lr=3e-3, patience=2):
    torch.manual_seed(0)
    raw = series()
    cutoff = int(0.8 * len(raw))
    past, future = raw[:cutoff], raw[cutoff:]
    print("swing of the first day", float(np.mean([level(past[i:i + 24]) for i in range(48)])))
    scale, undo = standardiser(past)
    x, y = cut(scale(past))
    xv, yv = cut(scale(future))
    pick = pickers()

    net = NETWORKS[network](n_out=len(HORIZONS))
    opt = torch.optim.AdamW(net.parameters(), lr=lr)
    sched = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.5, patience=0)
    step = make_step(net, opt, LOSSES[loss], pick)
    evaluate = make_eval(net, batches(xv, yv, 256, shuffle=False), pick, undo)
    train = batches(x, y, 32, shuffle=True)

    best, wait = math.inf, 0
    for epoch in range(EPOCHS):
        net.train()
        losses = [step(bx, by) for bx, by in train()]
        mae = evaluate()
        mean_mae = sum(mae.values()) / len(mae)
        sched.step(mean_mae)
        print(epoch, f"{np.mean(losses):.4f}", {k: round(v, 3) for k, v in mae.items()})
        if mean_mae < best:
            best, wait = mean_mae, 0
        else:
            wait += 1
            if wait >= patience:
                break
    return best


if __name__ == "__main__":
    print("best", run())
