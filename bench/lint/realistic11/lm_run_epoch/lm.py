import math

import torch
from torch import nn
import torch.nn.functional as F

from text import ALPHABET, get_loaders

N_SUMS = 900
LENGTH = 48
BATCH = 16
ACCUM = 4
EPOCHS = 4
LR = 4e-3


class Block(nn.Module):
    def __init__(self, d, heads, dropout):
        super().__init__()
        self.norm1 = nn.LayerNorm(d)
        self.attn = nn.MultiheadAttention(d, heads, dropout=dropout, batch_first=True)
        self.norm2 = nn.LayerNorm(d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d), nn.Dropout(dropout))

    def forward(self, x, hidden):
        h = self.norm1(x)
        a, _ = self.attn(h, h, h, attn_mask=hidden, need_weights=False)
        x = x + a
        return x + self.mlp(self.norm2(x))


class CharLM(nn.Module):
    def __init__(self, vocab, d=48, heads=4, layers=2, max_len=LENGTH, dropout=0.1):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Parameter(0.02 * torch.randn(max_len, d))
        self.blocks = nn.ModuleList(Block(d, heads, dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, vocab)
        # True where a position must not look
        self.register_buffer("hidden", torch.triu(torch.ones(max_len, max_len), diagonal=1).bool())

    def forward(self, ids):
        t = ids.size(1)
        x = self.tok(ids) + self.pos[:t]
        for block in self.blocks:
            x = block(x, self.hidden[:t, :t])
        return self.head(self.norm(x))


def token_loss(logits, targets):
    """Mean cross-entropy per letter; logits B x T x V, targets B x T."""
    return F.cross_entropy(logits.transpose(1, 2), targets)


def run_epoch(model, loader, optimizer=None):
    """One pass over loader. With an optimizer it trains, without one it only measures."""
    training = optimizer is not None
    model.train(training)
    nats, letters = 0.0, 0
    n_batches = len(loader)
    if training:
        optimizer.zero_grad()
    with torch.set_grad_enabled(training):
        for i, (ids, targets) in enumerate(loader):
            loss = token_loss(model(ids), targets)
            if training:
                group = min(ACCUM, n_batches - i // ACCUM * ACCUM)
                (loss / group).backward()
                if (i + 1) % ACCUM == 0 or i + 1 == n_batches:
                    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                    optimizer.step()
                    optimizer.zero_grad()
            nats += loss.item() * targets.numel()
            letters += targets.numel()
    return nats / letters


@torch.no_grad()
def complete(model, prompt, n=12):
    model.eval()
    ids = torch.tensor([[ALPHABET.index(c) for c in prompt]])
    for _ in range(n):
        logits = model(ids[:, -LENGTH:])[:, -1]
        ids = torch.cat([ids, logits.argmax(dim=-1, keepdim=True)], dim=1)
    return "".join(ALPHABET[i] for i in ids[0].tolist())


def main():
    torch.manual_seed(1)
    train_loader, valid_loader = get_loaders(N_SUMS, LENGTH, BATCH)
    model = CharLM(len(ALPHABET))
    optimizer = torch.optim.AdamW(model.parameters(), lr=LR, weight_decay=0.01)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)

    best = math.inf
    for epoch in range(EPOCHS):
        train_nats = run_epoch(model, train_loader, optimizer)
        valid_nats = run_epoch(model, valid_loader)
        scheduler.step()
        print(f"epoch {epoch} | train ppl {math.exp(train_nats):.3f} | valid ppl {math.exp(valid_nats):.3f}")
        if valid_nats < best:
            best = valid_nats
            torch.save(model.state_dict(), "lm.pt")

    model.load_state_dict(torch.load("lm.pt"))
    print(complete(model, "two plus three = "))


if __name__ == "__main__":
    main()
