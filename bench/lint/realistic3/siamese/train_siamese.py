import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Pairs(Dataset):
    """Pairs of noisy prototypes; label 1 where both come from the same one."""

    def __init__(self, n, n_prototypes=6, dim=20, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.prototypes = torch.randn(n_prototypes, dim, generator=g)
        self.first = torch.randint(n_prototypes, (n,), generator=g)
        same = torch.rand(n, generator=g) < 0.5
        other = torch.randint(n_prototypes, (n,), generator=g)
        self.second = torch.where(same, self.first, other)

    def __len__(self):
        return self.first.numel()

    def __getitem__(self, i):
        a, b = self.first[i], self.second[i]
        x1 = self.prototypes[a] + 0.3 * torch.randn(20)
        x2 = self.prototypes[b] + 0.3 * torch.randn(20)
        return x1, x2, (a == b).float()


class Tower(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(20, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Dropout(0.3), nn.Linear(64, 16),
        )

    def forward(self, x):
        return self.net(x)


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.tower = Tower()
        self.score = nn.Linear(16, 1)

    def forward(self, x1, x2):
        difference = torch.abs(self.tower(x1) - self.tower(x2))
        return self.score(difference).squeeze(1)


class AverageMeter:
    def __init__(self):
        self.sum = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(1, self.count)


class Experiment:
    def __init__(self, epochs=1, batch_size=32, lr=1e-3):
        self.epochs = epochs
        self.train_loader = DataLoader(Pairs(256), batch_size=batch_size, shuffle=True)
        self.val_loader = DataLoader(Pairs(96, seed=1), batch_size=batch_size, shuffle=False)
        self.model = Siamese()
        self.criterion = nn.BCEWithLogitsLoss()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)
        self.best = math.inf

    def train_epoch(self):
        self.model.train()
        meter = AverageMeter()
        for x1, x2, same in self.train_loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x1, x2), same)
            loss.backward()
            self.optimizer.step()
            meter.update(loss.item(), x1.size(0))
        return meter.avg

    def validate(self):
        self.model.eval()
        meter, hits = AverageMeter(), AverageMeter()
        with torch.no_grad():
            for x1, x2, same in self.val_loader:
                logits = self.model(x1, x2)
                meter.update(self.criterion(logits, same).item(), x1.size(0))
                hits.update(((logits > 0).float() == same).float().mean().item(), x1.size(0))
        return meter.avg, hits.avg

    def run(self):
        best_state = None
        for epoch in range(self.epochs):
            train_loss = self.train_epoch()
            val_loss, accuracy = self.validate()
            print(f"{epoch}: {train_loss:.3f} {val_loss:.3f} {accuracy:.3f}")
            if val_loss < self.best:
                self.best = val_loss
                best_state = {k: v.clone() for k, v in self.model.state_dict().items()}
        self.model.load_state_dict(best_state)
        torch.save(self.model.state_dict(), "siamese.pt")


if __name__ == "__main__":
    torch.manual_seed(0)
    Experiment().run()
