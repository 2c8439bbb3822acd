"""A toy language: sums written out in words, letter by letter."""
import random

import torch
from torch.utils.data import DataLoader, Subset, TensorDataset

WORDS = "zero one two three four five six seven eight nine".split()
ALPHABET = sorted(set("".join(WORDS)) | set(" +=.pluseqa"))
STOI = {c: i for i, c in enumerate(ALPHABET)}


def make_text(n_sums, seed=0):
    rng = random.Random(seed)
    lines = []
    for _ in range(n_sums):
        a, b = rng.randint(0, 4), rng.randint(0, 5)
        lines.append(f"{WORDS[a]} plus {WORDS[b]} = {WORDS[a + b]}. ")
    return "".join(lines)


def encode(text):
    return torch.tensor([STOI[c] for c in text])


def windows(ids, length, stride):
    chunks = ids.unfold(0, length + 1, stride)
    return TensorDataset(chunks[:, :-1].contiguous(), chunks[:, 1:].contiguous())


def get_loaders(n_sums, length, batch_size):
    ids = encode(make_text(n_sums))
    data = windows(ids, length, stride=length // 2)
    # neighbouring windows overlap by half: cut in one place and leave out the window that lies across
    cut = int(0.9 * len(data))
    train_set = Subset(data, range(cut))
    valid_set = Subset(data, range(cut + 1, len(data)))
    train_loader = DataLoader(train_set, batch_size=batch_size, shuffle=True)
    valid_loader = DataLoader(valid_set, batch_size=batch_size)
    return train_loader, valid_loader
