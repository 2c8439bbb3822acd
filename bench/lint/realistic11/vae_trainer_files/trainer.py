"""The loop around the VAE."""
from pathlib import Path

import numpy as np
import torch
from torch import optim

from ema import Ema
from losses import beta_at, elbo_terms


def write_pgm(path: Path, images: torch.Tensor) -> None:
    """One row of pictures as a grey map."""
    rows = (torch.cat(list(images.squeeze(1)), dim=1) * 255).round().to(torch.uint8).cpu().numpy()
    height, width = rows.shape
    path.write_bytes(f"P5 {width} {height} 255\n".encode() + np.ascontiguousarray(rows).tobytes())


class Trainer:
    def __init__(self, model, train_loader, val_loader, out: Path, epochs: int = 8, lr: float = 4e-3):
        self.model, self.out, self.epochs = model, out, epochs
        self.train_loader, self.val_loader = train_loader, val_loader
        self.ema = Ema(model)
        self.optimizer = optim.Adam(model.parameters(), lr=lr)
        self.scheduler = optim.lr_scheduler.StepLR(self.optimizer, step_size=3, gamma=0.5)
        self.ramp = 2 * len(train_loader)
        self.step = 0
        self.best = float("inf")
        self.history = []

    def train_step(self, x):
        logits, mu, logvar = self.model(x)
        rec, kl = elbo_terms(logits, x, mu, logvar)
        loss = rec + beta_at(self.step, self.ramp) * kl
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 50.0)
        self.optimizer.step()
        self.ema.update(self.model)
        self.step += 1
        self.history.append((rec.item(), kl.item()))

    def run_epoch(self):
        self.model.train()
        for (x,) in self.train_loader:
            self.train_step(x)
        self.scheduler.step()

    @torch.no_grad()
    def evaluate(self):
        total = count = 0
        for (x,) in self.val_loader:
            logits, mu, logvar = self.ema.model(x)
            rec, kl = elbo_terms(logits, x, mu, logvar)
            total += (rec + kl).item() * len(x)
            count += len(x)
        return total / count

    @torch.no_grad()
    def save_images(self, epoch):
        x = next(iter(self.val_loader))[0][:8]
        back = torch.sigmoid(self.ema.model(x)[0])
        write_pgm(self.out / f"recon_{epoch}.pgm", torch.cat([x, back]))
        write_pgm(self.out / f"sample_{epoch}.pgm", self.ema.model.sample(16))

    def fit(self):
        for epoch in range(self.epochs):
            self.run_epoch()
            bound = self.evaluate()
            if bound < self.best:
                self.best = bound
                torch.save(self.ema.model.state_dict(), self.out / "best.pt")
            self.save_images(epoch)
            rec, kl = np.mean(self.history[-len(self.train_loader):], axis=0)
            print(f"epoch {epoch}  rec {rec:.1f}  kl {kl:.2f}  val {bound:.2f}")
        return self.best
