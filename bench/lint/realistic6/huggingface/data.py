"""Sentences of numbers; the label says whether they rise. Padded with 0."""

import torch
from torch.utils.data import Dataset


class Rising(Dataset):
    def __init__(self, n, seed, n_words=50, length=12):
        g = torch.Generator().manual_seed(seed)
        self.rows = []
        for _ in range(n):
            k = int(torch.randint(4, length, (1,), generator=g))
            words = torch.randint(1, n_words, (k,), generator=g)
            label = int(torch.rand(1, generator=g) < 0.5)
            if label:
                words = words.sort().values
            self.rows.append((words, label))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        words, label = self.rows[i]
        return {"input_ids": words, "labels": label}


def collate(batch):
    length = max(len(row["input_ids"]) for row in batch)
    ids = torch.zeros(len(batch), length, dtype=torch.long)
    mask = torch.zeros(len(batch), length, dtype=torch.long)
    for i, row in enumerate(batch):
        ids[i, : len(row["input_ids"])] = row["input_ids"]
        mask[i, : len(row["input_ids"])] = 1
    return {"input_ids": ids, "attention_mask": mask, "labels": torch.tensor([row["labels"] for row in batch])}
