"""Trains the VAE on soft blobs and reads the best weights back."""
import tempfile
from pathlib import Path

import torch
from torch.utils.data import DataLoader, TensorDataset, random_split

from model import VAE
from trainer import Trainer


def blobs(n: int, size: int = 16) -> torch.Tensor:
    gen = torch.Generator().manual_seed(3)
    grid = torch.arange(size, dtype=torch.float32)
    cy, cx = (4 + 8 * torch.rand(2, n, 1, 1, generator=gen))
    ry, rx = (1.5 + 2.5 * torch.rand(2, n, 1, 1, generator=gen))
    d = ((grid.view(1, -1, 1) - cy) / ry) ** 2 + ((grid.view(1, 1, -1) - cx) / rx) ** 2
    return torch.exp(-0.5 * d).unsqueeze(1)


def main(n: int = 900, batch_size: int = 50):
    torch.manual_seed(0)
    images = TensorDataset(blobs(n))
    train, val = random_split(images, [n - n // 5, n // 5], generator=torch.Generator().manual_seed(1))
    out = Path(tempfile.mkdtemp(prefix="vae_"))
    trainer = Trainer(VAE(), DataLoader(train, batch_size, shuffle=True), DataLoader(val, batch_size), out)
    best = trainer.fit()

    final = VAE()
    final.load_state_dict(torch.load(out / "best.pt"))
    final.eval()
    with torch.no_grad():
        x = val[0][0].unsqueeze(0)
        error = (torch.sigmoid(final(x)[0]) - x).abs().mean().item()
    print(f"best bound {best:.2f}, error of one picture {error:.3f}, {len(list(out.glob('*.pgm')))} pictures")


if __name__ == "__main__":
    main()
