import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

from model import TinyGPT

TEXT = "the quick brown fox jumps over the lazy dog. pack my box with five dozen liquor jugs. " * 20
ACCUMULATION = 2


class Characters(Dataset):
    def __init__(self, text, block_size):
        self.chars = sorted(set(text))
        to_id = {c: i for i, c in enumerate(self.chars)}
        self.ids = torch.tensor([to_id[c] for c in text])
        self.block_size = block_size

    def __len__(self):
        return (len(self.ids) - 1) // self.block_size

    def __getitem__(self, i):
        start = i * self.block_size
        chunk = self.ids[start : start + self.block_size + 1]
        return chunk[:-1], chunk[1:]


def loss_of(model, x, y):
    logits = model(x)
    return F.cross_entropy(logits.view(-1, logits.size(-1)), y.reshape(-1))


@torch.no_grad()
def perplexity(model, loader):
    model.eval()
    losses = [loss_of(model, x, y).item() for x, y in loader]
    model.train()
    return float(torch.tensor(losses).mean().exp())


def train(model, train_loader, val_loader, epochs=1, lr=3e-3):
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    steps_total = epochs * len(train_loader) // ACCUMULATION
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=lr, total_steps=steps_total + 1)
    model.train()
    for epoch in range(epochs):
        epoch_loss = 0.0
        for step, (x, y) in enumerate(train_loader):
            loss = loss_of(model, x, y)
            (loss / ACCUMULATION).backward()
            epoch_loss += loss.item()
            if (step + 1) % ACCUMULATION == 0:
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
        print(f"{epoch} loss {epoch_loss / len(train_loader):.3f} perplexity {perplexity(model, val_loader):.2f}")


def main():
    torch.manual_seed(3)
    split = int(0.9 * len(TEXT))
    train_set, val_set = Characters(TEXT[:split], 32), Characters(TEXT[split:], 32)
    train_loader = DataLoader(train_set, batch_size=4, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=4)
    train(TinyGPT(len(train_set.chars)), train_loader, val_loader)


if __name__ == "__main__":
    main()
