import torch

IGNORE = -100


def collate(rows):
    longest = max(len(r["labels"]) for r in rows)
    labels = [r["labels"] + [0] * (longest - len(r["labels"])) for r in rows]  # expect: SB272
    return torch.tensor(labels)


def first_pieces(words, tags):
    return [tags[w] if w is not None else IGNORE for w in words]
