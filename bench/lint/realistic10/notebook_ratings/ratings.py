# %% [markdown]
# Film ratings: embeddings + a small MLP. Cells are run from top to bottom.

# %% imports and globals
import copy

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

N_USERS, N_FILMS, N_ROWS = 300, 120, 9000
DAY = 86400
torch.manual_seed(0)
rng = np.random.default_rng(0)

# %% make the table
taste, style = rng.normal(size=(N_USERS, 4)), rng.normal(size=(N_FILMS, 4))
user = rng.integers(N_USERS, size=N_ROWS)
film = rng.integers(N_FILMS, size=N_ROWS)
when = 1_500_000_000 + rng.integers(900, size=N_ROWS) * DAY
stars = 3 + 0.7 * (taste[user] * style[film]).sum(1) + rng.normal(0, 0.3, N_ROWS)
stars = np.clip(np.round(stars), 1, 5).astype(np.float32)

# %% split: train, validation, test
rows = rng.permutation(N_ROWS)
tr, va, te = rows[:7000], rows[7000:8000], rows[8000:]

# %% features
days = ((when - when.min()) // DAY).astype(np.int64)
age = (days / days[tr].max()).astype(np.float32)
film_mean = np.full(N_FILMS, stars[tr].mean(), dtype=np.float32)
for k in range(N_FILMS):
    rated = tr[film[tr] == k]
    if len(rated):
        film_mean[k] = stars[rated].mean()


def tensors(idx):
    extra = np.stack([age[idx], film_mean[film[idx]]], axis=1)
    return TensorDataset(torch.from_numpy(user[idx]), torch.from_numpy(film[idx]), torch.from_numpy(extra), torch.from_numpy(stars[idx]))


train_dl = DataLoader(tensors(tr), batch_size=125, shuffle=True)
val_dl = DataLoader(tensors(va), batch_size=300)
test_dl = DataLoader(tensors(te), batch_size=300)


# %% model
class Rater(nn.Module):
    def __init__(self, dim=12):
        super().__init__()
        self.tables = nn.ModuleDict({"user": nn.Embedding(N_USERS, dim, sparse=True), "film": nn.Embedding(N_FILMS, dim, sparse=True)})
        for table in self.tables.values():
            nn.init.normal_(table.weight, std=0.1)
        self.mlp = nn.Sequential(nn.Linear(3 * dim + 2, 48), nn.ReLU(), nn.Dropout(0.1), nn.Linear(48, 1))

    def forward(self, user, film, extra):
        u, f = self.tables["user"](user), self.tables["film"](film)
        return 3 + self.mlp(torch.cat([u, f, u * f, extra], dim=1)).squeeze(1)


model = Rater()
table_opt = torch.optim.SparseAdam(list(model.tables.parameters()), lr=0.02)
mlp_opt = torch.optim.Adam(model.mlp.parameters(), lr=2e-3)


# %% helpers
def random_pairs(n):
    """Any user with any film: their ratings are pulled a little towards the middle."""
    films = rng.integers(N_FILMS, size=n)
    extra = np.stack([np.zeros(n, dtype=np.float32), film_mean[films]], axis=1)
    return torch.from_numpy(rng.integers(N_USERS, size=n)), torch.from_numpy(films), torch.from_numpy(extra)


def fit_epoch():
    model.train()
    smooth, rate_sum = None, 0.0
    for u, f, extra, s in train_dl:
        pred = model(u, f, extra)
        middle = model(*random_pairs(len(u) // 4))
        loss = F.mse_loss(pred, s) + 0.02 * (middle - 3).pow(2).mean()
        table_opt.zero_grad()
        mlp_opt.zero_grad()
        loss.backward()
        table_opt.step()
        mlp_opt.step()
        smooth = loss.item() if smooth is None else 0.98 * smooth + 0.02 * loss.item()
        rate_sum += loss.item()
    return smooth, rate_sum / len(train_dl)


@torch.no_grad()
def score(dl):
    model.eval()
    square, exact, n = 0.0, 0, 0
    for u, f, extra, s in dl:
        pred = model(u, f, extra)
        square += (pred - s).pow(2).sum().item()
        exact += (pred.round() == s).sum().item()
        n += len(s)
    return (square / n) ** 0.5, exact / n


@torch.no_grad()
def predict(dl):
    model.eval()
    return torch.cat([model(u, f, extra) for u, f, extra, _ in dl]).numpy()


# %% train
best_rmse, best_state, waiting = np.inf, None, 0
for epoch in range(6):
    smooth, mean_loss = fit_epoch()
    rmse, exact = score(val_dl)
    print(f"epoch {epoch}: loss {mean_loss:.3f} (smooth {smooth:.3f})  val rmse {rmse:.3f}  exact {exact:.1%}")
    if rmse < best_rmse:
        best_rmse, best_state, waiting = rmse, copy.deepcopy(model.state_dict()), 0
    else:
        waiting += 1
    if waiting == 2:
        break

# %% test with the best weights
model.load_state_dict(best_state)
print("test rmse %.3f exact %.3f" % score(test_dl))

# %% the films that are worst predicted
gap = np.abs(predict(test_dl) - stars[te])
worst = sorted(range(N_FILMS), key=lambda k: -gap[film[te] == k].mean() if (film[te] == k).any() else 0)
print("worst films:", worst[:5])

if __name__ == "__main__":
    print("done")
