import math
import time

import torch
from torch.nn import functional as F
from torch.utils.data import DataLoader

from gpt import GPT
from tokens import PAD, CharVocab, LineDataset, sentences

# hyperparameters
block_size = 40
batch_size = 32
max_epochs = 1
learning_rate = 3e-3
min_lr = 3e-4
warmup_iters = 10
weight_decay = 0.1
device = "cuda" if torch.cuda.is_available() else "cpu"
# ---------------


def lr_at(it, total):
    if it < warmup_iters:
        return learning_rate * (it + 1) / warmup_iters
    ratio = (it - warmup_iters) / max(1, total - warmup_iters)
    return min_lr + 0.5 * (1 + math.cos(math.pi * ratio)) * (learning_rate - min_lr)


def token_loss(logits, targets, reduction="mean"):
    return F.cross_entropy(logits.reshape(-1, logits.size(-1)), targets.reshape(-1),
                           ignore_index=PAD, reduction=reduction)


def perplexity(model, loader):
    model.eval()
    nll, n = 0.0, 0
    with torch.no_grad():
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            nll += token_loss(model(x), y, reduction="sum").item()
            n += (y != PAD).sum().item()
    model.train()
    return math.exp(nll / n)


def configure_optimizer(model):
    decay = [p for p in model.parameters() if p.dim() >= 2]
    rest = [p for p in model.parameters() if p.dim() < 2]
    groups = [{"params": decay, "weight_decay": weight_decay}, {"params": rest, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=learning_rate, betas=(0.9, 0.95))


def main():
    torch.manual_seed(1337)
    train_lines, val_lines = sentences(1200, seed=0), sentences(150, seed=5)
    vocab = CharVocab(train_lines)
    train_loader = DataLoader(LineDataset(train_lines, vocab, block_size), batch_size=batch_size, shuffle=True)
    val_loader = DataLoader(LineDataset(val_lines, vocab, block_size), batch_size=batch_size)

    model = GPT(len(vocab), block_size).to(device)
    optimizer = configure_optimizer(model)
    total = max_epochs * len(train_loader)
    it, t0 = 0, time.time()
    model.train()
    for epoch in range(max_epochs):
        for x, y in train_loader:
            for group in optimizer.param_groups:
                group["lr"] = lr_at(it, total)
            x, y = x.to(device), y.to(device)
            loss = token_loss(model(x), y)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            it += 1
            if it % 20 == 0:
                print(f"iter {it}: loss {loss.item():.4f}, {1000 * (time.time() - t0) / it:.1f} ms/iter")
        print(f"epoch {epoch}: val perplexity {perplexity(model, val_loader):.3f}")

    model.eval()
    start = torch.tensor([vocab.encode("the")], device=device)
    print(repr(vocab.decode(model.generate(start, 30)[0])))


if __name__ == "__main__":
    main()
