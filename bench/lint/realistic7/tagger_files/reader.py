"""Generated sentences with part-of-speech tags."""
import random
from typing import Dict, List, Tuple

import torch
from torch.nn.utils.rnn import pad_sequence

PAD, UNK = "<pad>", "<unk>"
TAGS = ["DET", "ADJ", "NOUN", "VERB", "ADV"]
PAD_TAG = -100
LEXICON = {
    "DET": ["the", "a", "this", "every"],
    "ADJ": ["small", "green", "fast", "old", "light"],
    "NOUN": ["car", "tree", "light", "run", "walk", "bird"],
    "VERB": ["run", "walk", "light", "moves", "stops"],
    "ADV": ["fast", "slowly", "often", "well"],
}
Sentence = Tuple[List[str], List[str]]


def read_corpus(n: int, seed: int) -> List[Sentence]:
    rng = random.Random(seed)
    out = []
    for _ in range(n):
        tags = []
        for _ in range(rng.randint(1, 3)):
            tags += ["DET"] + ["ADJ"] * rng.randint(0, 2) + ["NOUN", "VERB"] + ["ADV"] * rng.randint(0, 1)
        out.append(([rng.choice(LEXICON[t]) for t in tags], tags))
    return out


def build_vocab(corpus: List[Sentence]) -> Dict[str, int]:
    vocab = {PAD: 0, UNK: 1}
    for words, _ in corpus:
        for w in words:
            vocab.setdefault(w, len(vocab))
    return vocab


class Collate:
    """Sorts a batch by length, longest first, and pads it."""

    def __init__(self, vocab: Dict[str, int]):
        self.vocab = vocab
        self.tag2id = {t: i for i, t in enumerate(TAGS)}

    def __call__(self, batch: List[Sentence]):
        batch = sorted(batch, key=lambda s: len(s[0]), reverse=True)
        words = [torch.tensor([self.vocab.get(w, 1) for w in ws]) for ws, _ in batch]
        tags = [torch.tensor([self.tag2id[t] for t in ts]) for _, ts in batch]
        lengths = torch.tensor([len(w) for w in words])
        x = pad_sequence(words, batch_first=True, padding_value=0)
        y = pad_sequence(tags, batch_first=True, padding_value=PAD_TAG)
        return x, y, lengths
