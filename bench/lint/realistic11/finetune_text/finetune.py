"""Fine-tunes a small transformer, pretrained on masked words, to tell three kinds of messages apart.

The encoder is frozen for the first epochs while the head settles; then all of it is trained at a lower rate.
"""
import copy
import math
import random

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

PAD, UNK, MASK = 0, 1, 2
LABELS = ["complaint", "question", "praise"]
SHARES = [0.62, 0.28, 0.10]
N_TEXTS = 1200
MAX_LEN = 16
DIM = 32
BATCH = 20
ACCUM = 2
EPOCHS = 8
FROZEN_EPOCHS = 2
PRETRAIN_STEPS = 120


# ---------------------------------------------------------------- data
def write_texts(n: int, rng: random.Random) -> list[tuple[list[str], str]]:
    common = [f"word{i}" for i in range(50)]
    topical = {name: [f"{name}{i}" for i in range(12)] for name in LABELS}
    rows = []
    for _ in range(n):
        label = rng.choices(LABELS, SHARES)[0]
        words = rng.choices(common, k=rng.randint(3, 10))
        words += rng.choices(topical[label], k=2) + rng.choices(topical[rng.choice(LABELS)], k=1)
        rng.shuffle(words)
        rows.append((words, label))
    return rows


class Vocabulary:
    def __init__(self, texts):
        words = sorted({w for words, _ in texts for w in words})
        self.index = {w: i + 3 for i, w in enumerate(words)}

    def __len__(self):
        return len(self.index) + 3

    def encode(self, rows) -> TensorDataset:
        ids = torch.full((len(rows), MAX_LEN), PAD)
        for i, (words, _) in enumerate(rows):
            ids[i, :len(words)] = torch.tensor([self.index.get(w, UNK) for w in words])
        return TensorDataset(ids, torch.tensor([LABELS.index(label) for _, label in rows]))


# ---------------------------------------------------------------- network
class Encoder(nn.Module):
    def __init__(self, n_words: int):
        super().__init__()
        self.words = nn.Embedding(n_words, DIM, padding_idx=PAD)
        self.places = nn.Parameter(0.02 * torch.randn(MAX_LEN, DIM))
        layer = nn.TransformerEncoderLayer(DIM, nhead=4, dim_feedforward=64, dropout=0.1, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

    def forward(self, ids):
        padding = ids == PAD
        return self.layers(self.words(ids) + self.places, src_key_padding_mask=padding)


class Classifier(nn.Module):
    def __init__(self, encoder: Encoder):
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(0.3)
        self.head = nn.Sequential(nn.Linear(DIM, DIM), nn.Tanh(), nn.Linear(DIM, len(LABELS)))

    def forward(self, ids):
        hidden = self.encoder(ids)
        real = (ids != PAD).unsqueeze(-1).float()
        pooled = (hidden * real).sum(dim=1) / real.sum(dim=1)
        return self.head(self.dropout(pooled))


def pretrain(encoder: Encoder, ids: torch.Tensor) -> None:
    """Masked words; the output layer is thrown away."""
    out = nn.Linear(DIM, encoder.words.num_embeddings)
    optimizer = torch.optim.AdamW([*encoder.parameters(), *out.parameters()], lr=2e-3)
    encoder.train()
    for _ in range(PRETRAIN_STEPS):
        rows = ids[torch.randint(len(ids), (32,))]
        hide = (torch.rand(rows.shape) < 0.2) & (rows != PAD)
        scores = out(encoder(rows.masked_fill(hide, MASK)))
        lost = nn.functional.cross_entropy(scores[hide], rows[hide])
        optimizer.zero_grad()
        lost.backward()
        optimizer.step()


# ---------------------------------------------------------------- training
class Scores:
    """Confusion matrix, rows are the true labels."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.table = torch.zeros(len(LABELS), len(LABELS))

    def update(self, predicted, labels):
        for t, p in zip(labels.tolist(), predicted.tolist()):
            self.table[t, p] += 1

    def macro_f1(self) -> float:
        right = self.table.diag()
        f1 = 2 * right / (self.table.sum(dim=0) + self.table.sum(dim=1)).clamp(min=1)
        return f1.mean().item()


def class_weights(labels: torch.Tensor) -> torch.Tensor:
    counts = torch.bincount(labels, minlength=len(LABELS)).float()
    return counts.sum() / (len(LABELS) * counts)


def parameter_groups(model: Classifier):
    groups = {}
    for name, p in model.named_parameters():
        lr = 8e-4 if name.startswith("encoder.") else 3e-3
        decay = 0.0 if p.ndim < 2 else 0.01
        groups.setdefault((lr, decay), []).append(p)
    return [{"params": ps, "lr": lr, "weight_decay": decay} for (lr, decay), ps in groups.items()]


def train_epoch(model, loader, criterion, optimizer, scheduler) -> float:
    model.train()
    total = 0.0
    optimizer.zero_grad()
    for i, (ids, labels) in enumerate(loader, 1):
        loss = criterion(model(ids), labels)
        (loss / ACCUM).backward()
        total += loss.item()
        if i % ACCUM == 0 or i == len(loader):
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
    return total / len(loader)


def evaluate(model, loader, scores: Scores) -> float:
    model.eval()
    scores.reset()
    with torch.no_grad():
        for ids, labels in loader:
            probs = model(ids).softmax(dim=1)
            scores.update(probs.argmax(dim=1), labels)
    return scores.macro_f1()


def fit(model, train_loader, dev_loader, weights):
    criterion = nn.CrossEntropyLoss(weight=weights)
    model.encoder.requires_grad_(False)
    optimizer = torch.optim.AdamW(parameter_groups(model))
    steps = EPOCHS * math.ceil(len(train_loader) / ACCUM)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda k: max(0.0, 1 - k / steps))
    scores, best, kept = Scores(), -1.0, None
    for epoch in range(EPOCHS):
        if epoch == FROZEN_EPOCHS:
            model.encoder.requires_grad_(True)
        loss = train_epoch(model, train_loader, criterion, optimizer, scheduler)
        f1 = evaluate(model, dev_loader, scores)
        print(f"epoch {epoch}: loss {loss:.3f}, dev F1 {f1:.3f}")
        if f1 > best:
            best, kept = f1, copy.deepcopy(model.state_dict())
    model.load_state_dict(kept)


def main():
    torch.manual_seed(11)
    texts = write_texts(N_TEXTS, random.Random(11))
    cut_dev, cut_test = int(0.7 * N_TEXTS), int(0.85 * N_TEXTS)
    vocabulary = Vocabulary(texts[:cut_dev])
    train, dev, test = (vocabulary.encode(part) for part in (texts[:cut_dev], texts[cut_dev:cut_test], texts[cut_test:]))

    encoder = Encoder(len(vocabulary))
    pretrain(encoder, train.tensors[0])
    model = Classifier(encoder)
    fit(model, DataLoader(train, BATCH, shuffle=True, drop_last=True), DataLoader(dev, 64), class_weights(train.tensors[1]))
    print(f"test F1 {evaluate(model, DataLoader(test, 64), Scores()):.3f}")


if __name__ == "__main__":
    main()
