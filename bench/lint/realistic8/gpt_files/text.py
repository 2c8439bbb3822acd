import random

import torch
from torch.utils.data import Dataset

WORDS = "the cat dog bird sees hears a big small red tree house runs over under and".split()


def write_text(n_words: int, seed: int) -> str:
    rng = random.Random(seed)
    return " ".join(rng.choice(WORDS) for _ in range(n_words))


class CharTokens:
    def __init__(self, text: str):
        self.chars = sorted(set(text))
        self.index = {c: i for i, c in enumerate(self.chars)}

    def encode(self, text: str) -> torch.Tensor:
        return torch.tensor([self.index[c] for c in text])


class Blocks(Dataset):
    """successive windows of block characters, and the same window one further on"""

    def __init__(self, tokens: torch.Tensor, block: int):
        self.tokens, self.block = tokens, block

    def __len__(self):
        return (len(self.tokens) - 1) // self.block

    def __getitem__(self, i):
        at = i * self.block
        chunk = self.tokens[at:at + self.block + 1]
        return chunk[:-1], chunk[1:]
