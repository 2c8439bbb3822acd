import torch

IGNORE = -100


def collate(rows):
    longest = max(len(r["labels"]) for r in rows)
    labels = [r["labels"] + [IGNORE] * (longest - len(r["labels"])) for r in rows]
    ids = [r["ids"] + [0] * (longest - len(r["ids"])) for r in rows]
    return torch.tensor(ids), torch.tensor(labels)
