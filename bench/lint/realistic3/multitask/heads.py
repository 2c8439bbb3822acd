from typing import Dict

import torch
from torch import Tensor, nn


class MultiTaskNet(nn.Module):
    def __init__(self, n_features: int, hidden: int, n_classes: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_features, hidden), nn.ReLU(), nn.Dropout(0.2))
        self.price = nn.Linear(hidden, 1)
        self.kind = nn.Linear(hidden, n_classes)

    def forward(self, x: Tensor) -> Dict[str, Tensor]:
        h = self.body(x)
        return {"price": self.price(h).squeeze(-1), "kind": self.kind(h)}


class MultiTaskLoss(nn.Module):
    def __init__(self, weight: float = 0.5) -> None:
        super().__init__()
        self.weight = weight
        self.regression = nn.SmoothL1Loss()
        self.classification = nn.CrossEntropyLoss()

    def forward(self, out: Dict[str, Tensor], price: Tensor, kind: Tensor) -> Tensor:
        a = self.regression(out["price"], price)
        b = self.classification(out["kind"], kind)
        return self.weight * a + (1 - self.weight) * b
