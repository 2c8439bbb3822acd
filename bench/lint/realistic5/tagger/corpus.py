import random

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

PAD = 0


class TaggedSentences(Dataset):
    def __init__(self, n, seed, vocab_size=50, n_tags=5):
        rng = random.Random(seed)
        self.rows = []
        for _ in range(n):
            words = [rng.randrange(1, vocab_size) for _ in range(rng.randrange(4, 12))]
            self.rows.append((words, [1 + w % (n_tags - 1) for w in words]))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        words, tags = self.rows[i]
        return torch.tensor(words), torch.tensor(tags)


def collate(batch):
    words, tags = zip(*batch)
    return pad_sequence(words, batch_first=True, padding_value=PAD), pad_sequence(tags, batch_first=True, padding_value=PAD)
