"""Fraud detection on tabular rows: numeric and categorical columns, rare positives."""
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Dict, List, Tuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset


@dataclass(frozen=True)
class Settings:
    rows: int = 1200
    numeric: int = 6
    cardinalities: Tuple[int, ...] = (5, 12)
    hidden: List[int] = field(default_factory=lambda: [32, 16])
    dropout: float = 0.2
    lr: float = 2e-3
    l1: float = 1e-4
    batch: int = 64
    epochs: int = 1
    seed: int = 2024


def make_table(s: Settings) -> Dict[str, np.ndarray]:
    rng = np.random.default_rng(s.seed)
    numeric = rng.lognormal(size=(s.rows, s.numeric))
    categorical = np.stack([rng.integers(0, c, s.rows) for c in s.cardinalities], axis=1)
    score = np.log(numeric[:, 0]) + 0.8 * (categorical[:, 0] == 2) - 1.9 + 0.3 * rng.normal(size=s.rows)
    missing = rng.random(numeric.shape) < 0.05
    return {"numeric": np.where(missing, np.nan, numeric), "categorical": categorical, "fraud": (score > 0).astype(np.float32)}


def split(n: int, seed: int) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    order = np.random.default_rng(seed).permutation(n)
    a, b = int(0.7 * n), int(0.85 * n)
    return order[:a], order[a:b], order[b:]


class Scaler:
    def fit(self, x: np.ndarray) -> "Scaler":
        logs = np.log1p(x)
        self.median = np.nanmedian(logs, axis=0)
        self.mean, self.std = np.nanmean(logs, axis=0), np.nanstd(logs, axis=0) + 1e-6
        return self

    def __call__(self, x: np.ndarray) -> np.ndarray:
        logs = np.log1p(x)
        logs = np.where(np.isnan(logs), self.median, logs)
        return ((logs - self.mean) / self.std).astype(np.float32)


class Rows(Dataset):
    def __init__(self, table: Dict[str, np.ndarray], index: np.ndarray, scaler: Scaler) -> None:
        self.numeric = torch.from_numpy(scaler(table["numeric"][index]))
        self.categorical = torch.from_numpy(table["categorical"][index])
        self.fraud = torch.from_numpy(table["fraud"][index])

    def __len__(self) -> int:
        return len(self.fraud)

    def __getitem__(self, i: int) -> Dict[str, Tensor]:
        return {"numeric": self.numeric[i], "categorical": self.categorical[i], "fraud": self.fraud[i]}


class Scorer(nn.Module):
    def __init__(self, s: Settings) -> None:
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(c, 4) for c in s.cardinalities)
        width = s.numeric + 4 * len(s.cardinalities)
        layers: List[nn.Module] = []
        for h in s.hidden:
            layers += [nn.Linear(width, h), nn.BatchNorm1d(h), nn.ReLU(), nn.Dropout(s.dropout)]
            width = h
        self.body = nn.Sequential(*layers)
        self.out = nn.Linear(width, 1)

    def forward(self, numeric: Tensor, categorical: Tensor) -> Tensor:
        embedded = [table(column) for table, column in zip(self.tables, categorical.unbind(dim=1))]
        return self.out(self.body(torch.cat([numeric, *embedded], dim=1))).squeeze(1)


def auc(scores: Tensor, labels: Tensor) -> float:
    order = scores.argsort()
    ranks = torch.empty_like(scores)
    ranks[order] = torch.arange(1, len(scores) + 1, dtype=scores.dtype)
    pos, n_pos = labels == 1, int(labels.sum())
    n_neg = len(labels) - n_pos
    return ((ranks[pos].sum() - n_pos * (n_pos + 1) / 2) / max(1, n_pos * n_neg)).item()


@torch.no_grad()
def score(model: nn.Module, loader: DataLoader) -> Tuple[Tensor, Tensor]:
    model.eval()
    out = [(model(b["numeric"], b["categorical"]), b["fraud"]) for b in loader]
    logits, labels = map(torch.cat, zip(*out))
    return logits, labels


def best_threshold(probs: Tensor, labels: Tensor) -> float:
    def f1(t: float) -> float:
        guess = probs >= t
        tp = (guess & (labels == 1)).sum().item()
        return 2 * tp / max(1.0, guess.sum().item() + labels.sum().item())

    return max(np.linspace(0.05, 0.95, 19), key=f1)


def main(s: Settings = Settings()) -> None:
    torch.manual_seed(s.seed)
    table = make_table(s)
    train_ix, val_ix, test_ix = split(s.rows, s.seed)
    scaler = Scaler().fit(table["numeric"][train_ix])
    train, val, test = (Rows(table, ix, scaler) for ix in (train_ix, val_ix, test_ix))
    train_loader = DataLoader(train, s.batch, shuffle=True, drop_last=True)
    val_loader, test_loader = DataLoader(val, 256), DataLoader(test, 256)

    model = Scorer(s)
    positives = train.fraud.sum()
    criterion = nn.BCEWithLogitsLoss(pos_weight=(len(train) - positives) / positives)
    optimizer = torch.optim.Adam(model.parameters(), lr=s.lr)
    for epoch in range(s.epochs):
        sums: Dict[str, float] = defaultdict(float)
        model.train()
        for batch in train_loader:
            bce = criterion(model(batch["numeric"], batch["categorical"]), batch["fraud"])
            l1 = s.l1 * sum(p.abs().sum() for p in model.body.parameters())
            optimizer.zero_grad()
            (bce + l1).backward()
            optimizer.step()
            sums["bce"] += bce.item()
            sums["l1"] += l1.item()
        logits, labels = score(model, val_loader)
        threshold = best_threshold(logits.sigmoid(), labels)
        print(epoch, {k: round(v / len(train_loader), 4) for k, v in sums.items()}, f"val auc {auc(logits, labels):.3f} cut {threshold:.2f}")
    logits, labels = score(model, test_loader)
    alarms = logits.sigmoid() >= threshold
    print(f"test auc {auc(logits, labels):.3f} precision {(labels[alarms].sum() / alarms.sum().clamp(min=1)).item():.3f}")


if __name__ == "__main__":
    main()
