import torch
from torch import nn


class Trainer:
    def __init__(self, model: nn.Module, device):
        self.model = model
        self.loss_fn = nn.Module()
        self.device = device

    @torch.no_grad()
    def validate(self, batches):
        total = 0.0
        self.model.eval()
        for batch in batches:
            out = self.loss_fn(batch["x"], batch["y"])
            n = out["n_seen"]
            shown = out["mean"] * n
            total += torch.tensor(n, device=self.device).sum().item()
            total += torch.tensor(shown, device=self.device).sum().item()
            total += torch.tensor(self.model(batch["x"])[1]).item()
        return total
