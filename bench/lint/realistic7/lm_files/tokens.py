"""Character-level data: short sentences from a grammar, padded to one length."""
import random

import torch
from torch.utils.data import Dataset

PAD = 0
SUBJ = ["the cat", "a dog", "my friend", "the old man", "she"]
VERB = ["sees", "likes", "draws", "finds"]
OBJ = ["the moon", "a red ball", "some bread", "the river", "us"]


def sentences(n, seed):
    r = random.Random(seed)
    return [f"{r.choice(SUBJ)} {r.choice(VERB)} {r.choice(OBJ)}.\n" for _ in range(n)]


class CharVocab:
    def __init__(self, lines):
        chars = sorted(set("".join(lines)))
        self.stoi = {c: i + 1 for i, c in enumerate(chars)}
        self.itos = {i: c for c, i in self.stoi.items()}

    def __len__(self):
        return len(self.stoi) + 1

    def encode(self, s):
        return [self.stoi[c] for c in s]

    def decode(self, ids):
        return "".join(self.itos.get(int(i), "") for i in ids)


class LineDataset(Dataset):
    def __init__(self, lines, vocab, block):
        self.rows = torch.full((len(lines), block + 1), PAD, dtype=torch.long)
        for row, line in zip(self.rows, lines):
            ids = vocab.encode(line)[: block + 1]
            row[: len(ids)] = torch.tensor(ids)

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        row = self.rows[i]
        return row[:-1], row[1:]
