import torch
from torch.nn.utils.rnn import pad_sequence

PAD, BOS, EOS = 0, 1, 2
LETTERS = "abcdefgh "
VOCAB = len(LETTERS) + 3


def sentences(n, seed):
    """Words that alternate between two letters, of 2 to 6 characters."""
    g = torch.Generator().manual_seed(seed)
    made = []
    for _ in range(n):
        words = []
        for _ in range(int(torch.randint(1, 5, (), generator=g))):
            a, b = torch.randint(0, 8, (2,), generator=g).tolist()
            size = int(torch.randint(2, 7, (), generator=g))
            words.append("".join(LETTERS[(a, b)[k % 2]] for k in range(size)))
        made.append(" ".join(words))
    return made


def encode(text):
    return torch.tensor([BOS] + [LETTERS.index(c) + 3 for c in text] + [EOS])


def collate(texts):
    tokens = pad_sequence([encode(t) for t in texts], batch_first=True, padding_value=PAD)
    return tokens[:, :-1], tokens[:, 1:]
