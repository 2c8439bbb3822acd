"""A transformer encoder classifies synthetic sentences; warmup, accumulation by an inner loop, early stopping."""
import copy
import math
from argparse import Namespace

import torch
from torch import nn, optim
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset


class Sentences(Dataset):
    def __init__(self, n, vocab, seed):
        g = torch.Generator().manual_seed(seed)
        self.items = []
        for _ in range(n):
            length = int(torch.randint(4, 12, (1,), generator=g))
            tokens = torch.randint(1, vocab, (length,), generator=g)
            self.items.append((tokens, int((tokens < vocab // 2).sum() * 2 > length)))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    tokens, labels = zip(*batch)
    padded = pad_sequence(tokens, batch_first=True)
    return padded, padded.eq(0), torch.tensor(labels)


class PositionalEncoding(nn.Module):
    def __init__(self, d, max_len=64):
        super().__init__()
        position = torch.arange(max_len)[:, None]
        div = torch.exp(torch.arange(0, d, 2) * (-math.log(10000.0) / d))
        pe = torch.zeros(max_len, d)
        pe[:, 0::2] = torch.sin(position * div)
        pe[:, 1::2] = torch.cos(position * div)
        self.register_buffer("pe", pe)

    def forward(self, x):
        return x + self.pe[: x.size(1)]


class Classifier(nn.Module):
    def __init__(self, vocab, d=32, heads=4, layers=2):
        super().__init__()
        self.emb = nn.Embedding(vocab, d, padding_idx=0)
        self.pos = PositionalEncoding(d)
        layer = nn.TransformerEncoderLayer(d, heads, 64, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Linear(d, 2)

    def forward(self, tokens, mask):
        h = self.encoder(self.pos(self.emb(tokens)), src_key_padding_mask=mask)
        keep = (~mask).unsqueeze(-1).float()
        pooled = (h * keep).sum(1) / keep.sum(1)
        return self.head(pooled)


def evaluate(model, loader, criterion):
    model.eval()
    loss_sum, hits, n = 0.0, 0, 0
    with torch.no_grad():
        for tokens, mask, labels in loader:
            logits = model(tokens, mask)
            loss_sum += criterion(logits, labels).item() * len(labels)
            hits += (logits.argmax(-1) == labels).sum().item()
            n += len(labels)
    return loss_sum / n, hits / n


def run(cfg):
    torch.manual_seed(cfg.seed)
    train_dl = DataLoader(Sentences(256, cfg.vocab, 0), cfg.batch, shuffle=True, collate_fn=collate)
    dev_dl = DataLoader(Sentences(64, cfg.vocab, 1), cfg.batch, collate_fn=collate)
    model = Classifier(cfg.vocab)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    optimizer = optim.AdamW(model.parameters(), lr=cfg.lr)
    scheduler = optim.lr_scheduler.LambdaLR(optimizer, lambda s: min((s + 1) / 10, 1.0))
    best_loss, best_model, patience = float("inf"), None, 0
    for epoch in range(cfg.epochs):
        model.train()
        running = 0.0
        for step, (tokens, mask, labels) in enumerate(train_dl):
            logits = model(tokens, mask)
            loss = criterion(logits, labels)
            (loss / cfg.accum).backward()
            if (step + 1) % cfg.accum == 0:
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
            running += loss.item()
        dev_loss, dev_acc = evaluate(model, dev_dl, criterion)
        print(f"epoch {epoch} train {running / len(train_dl):.3f} dev {dev_loss:.3f} acc {dev_acc:.3f}")
        if dev_loss < best_loss:
            best_loss, best_model, patience = dev_loss, copy.deepcopy(model.state_dict()), 0
        else:
            patience += 1
            if patience > cfg.patience:
                break
    model.load_state_dict(best_model)
    torch.save(model.state_dict(), cfg.out)


if __name__ == "__main__":
    run(Namespace(seed=0, vocab=40, batch=16, lr=1e-3, epochs=2, accum=2, patience=2, out="classifier.pt"))
