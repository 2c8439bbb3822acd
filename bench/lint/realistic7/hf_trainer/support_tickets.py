"""A toy corpus of support tickets, with a whitespace tokenizer."""
import random

import torch
from torch.utils.data import Dataset

PAD, UNK, CLS = 0, 1, 2
TOPICS = {
    "billing": ["invoice", "refund", "charge", "card", "price"],
    "login": ["password", "reset", "account", "locked", "email"],
    "crash": ["error", "freeze", "restart", "bug", "screen"],
}
FILLER = "please help my the is not and i with to a again today".split()


def make_tickets(n, seed):
    rng = random.Random(seed)
    rows = []
    for _ in range(n):
        topic = rng.choices(list(TOPICS), weights=[6, 3, 1])[0]
        words = rng.choices(FILLER, k=rng.randint(3, 12)) + rng.choices(TOPICS[topic], k=rng.randint(1, 3))
        rng.shuffle(words)
        rows.append((" ".join(words), topic))
    return rows


def build_vocab(rows):
    words = sorted({w for text, _ in rows for w in text.split()})
    return {w: i + 3 for i, w in enumerate(words)}


class TicketDataset(Dataset):
    def __init__(self, rows, vocab, label2id, max_len=16):
        self.rows, self.vocab, self.label2id, self.max_len = rows, vocab, label2id, max_len

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        text, topic = self.rows[i]
        ids = [CLS] + [self.vocab.get(w, UNK) for w in text.split()]
        return {"input_ids": ids[: self.max_len], "labels": self.label2id[topic]}


def collate(features):
    width = max(len(f["input_ids"]) for f in features)
    ids = torch.full((len(features), width), PAD, dtype=torch.long)
    for row, f in zip(ids, features):
        row[: len(f["input_ids"])] = torch.tensor(f["input_ids"])
    return {
        "input_ids": ids,
        "attention_mask": (ids != PAD).long(),
        "labels": torch.tensor([f["labels"] for f in features]),
    }
