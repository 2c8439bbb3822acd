"""K-fold cross-validation of a small network on a table, then the mean of the folds' networks on unseen rows.

Everything is made of closures: `make_fit` binds how to train, a fold binds its rows, a member of the ensemble binds
its network and its scales.
"""
import copy
import math
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
ROWS, HELD_OUT = 1300, 300
FOLDS = 5
EPOCHS = 40


def make_table(n, seed):
    """House-like rows in the order of their first column (the year)."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 8)).astype(np.float32)
    x[:, 0] = np.sort(rng.uniform(1950, 2020, size=n))
    x[:, 1] = np.exp(x[:, 1]) * 80
    year = (x[:, 0] - 1985) / 20
    y = 120 + 30 * year + 0.4 * x[:, 1] + 15 * x[:, 2] * x[:, 3] + 10 * np.sin(2 * x[:, 4])
    y += 6 * rng.normal(size=n)
    return torch.from_numpy(x), torch.from_numpy(y.astype(np.float32))


def kfold(n, k, seed):
    order = torch.randperm(n, generator=torch.Generator().manual_seed(seed))
    parts = order.chunk(k)
    for i in range(k):
        yield torch.cat([p for j, p in enumerate(parts) if j != i]), parts[i]


def make_scale(values):
    """Closures to standard units and back."""
    mean, std = values.mean(dim=0), values.std(dim=0).clamp(min=1e-6)

    def scale(v):
        return (v - mean) / std

    def unscale(v):
        return v * std + mean

    return scale, unscale


def build_net(n_in, width=48, p=0.1):
    return nn.Sequential(
        nn.Linear(n_in, width), nn.BatchNorm1d(width), nn.SiLU(), nn.Dropout(p),
        nn.Linear(width, width), nn.BatchNorm1d(width), nn.SiLU(), nn.Dropout(p),
        nn.Linear(width, 1)).to(DEVICE)


def forward(net, x):
    return net(x).squeeze(1)


@torch.no_grad()
def predict(net, x, batch=256):
    net.eval()
    return torch.cat([forward(net, rows) for rows in x.split(batch)])


def rmse(predicted, y, batch=256):
    """Root of the mean square over all rows, taken in parts."""
    squares = 0.0
    for p, t in zip(predicted.split(batch), y.split(batch)):
        squares += F.mse_loss(p, t, reduction="sum").item()
    return math.sqrt(squares / len(y))


def make_fit(make_optimizer, loss_fn, epochs, batch_size, patience=12):
    def fit(net, train, val):
        x, y = (t.to(DEVICE) for t in train)
        xv, yv = (t.to(DEVICE) for t in val)
        optimizer = make_optimizer(net.parameters())
        best, kept, waited = float("inf"), None, 0

        def batches():
            return torch.randperm(len(x), device=x.device).split(batch_size)

        def step(rows):
            optimizer.zero_grad()
            loss = loss_fn(forward(net, x[rows]), y[rows])
            loss.backward()
            optimizer.step()
            return loss.item()

        for _ in range(epochs):
            net.train()
            for rows in batches():
                step(rows)
            error = rmse(predict(net, xv), yv)
            if error < best:
                best, kept, waited = error, copy.deepcopy(net.state_dict()), 0
            else:
                waited += 1
                if waited >= patience:
                    break
        net.load_state_dict(kept)
        return best

    return fit


def cross_validate(x, y, build, fit, k):
    """Predictions for each row by the network that has not seen it, and a closure per fold."""
    unseen = torch.empty_like(y)
    members = []

    def member(net, scale_x, unscale_y, table):
        return unscale_y(predict(net, scale_x(table).to(DEVICE)).cpu())

    for fold, (train, val) in enumerate(kfold(len(x), k, seed=5)):
        torch.manual_seed(100 + fold)
        net = build()
        scale_x, _ = make_scale(x[train])
        scale_y, unscale_y = make_scale(y[train])

        def part(rows):
            return scale_x(x[rows]), scale_y(y[rows])

        best = fit(net, part(train), part(val))
        ask = partial(member, net, scale_x, unscale_y)
        unseen[val] = ask(x[val])
        members.append(ask)
        print(f"fold {fold}: {best:.3f} in standard units, {rmse(unseen[val], y[val]):.2f} in thousands")
    return unseen, members


def ensemble(members):
    def ask(table):
        return torch.stack([m(table) for m in members]).mean(dim=0)

    return ask


def main():
    x, y = make_table(ROWS, seed=0)
    mixed = torch.randperm(ROWS, generator=torch.Generator().manual_seed(9))
    test, rest = mixed[:HELD_OUT].sort().values, mixed[HELD_OUT:].sort().values

    fit = make_fit(
        make_optimizer=partial(torch.optim.AdamW, lr=6e-3, weight_decay=1e-2),
        loss_fn=partial(F.huber_loss, delta=1.0),
        epochs=EPOCHS, batch_size=64)
    unseen, members = cross_validate(x[rest], y[rest], partial(build_net, x.shape[1]), fit, FOLDS)
    print(f"out of fold: {rmse(unseen, y[rest]):.2f}")

    singles = [rmse(m(x[test]), y[test]) for m in members]
    print(f"unseen rows: one network {np.mean(singles):.2f}, ensemble {rmse(ensemble(members)(x[test]), y[test]):.2f}")


if __name__ == "__main__":
    main()
