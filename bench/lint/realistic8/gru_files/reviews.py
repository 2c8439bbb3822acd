import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

PAD = 0


class Reviews(Dataset):
    """token sequences of different length with a rating and a topic"""

    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.items = []
        for _ in range(n):
            length = int(torch.randint(4, 20, (1,), generator=g))
            tokens = torch.randint(1, 40, (length,), generator=g)
            rating = (tokens < 20).float().mean() * 4 + 1
            self.items.append((tokens, rating, tokens[-1] % 3))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(items):
    tokens, ratings, topics = zip(*items)
    lengths = torch.tensor([len(t) for t in tokens])
    padded = pad_sequence(tokens, batch_first=True, padding_value=PAD)
    return padded, lengths, torch.stack(ratings), torch.stack(topics)


def loaders(batch_size):
    train = DataLoader(Reviews(600, seed=3), batch_size, shuffle=True, collate_fn=collate)
    return train, DataLoader(Reviews(160, seed=4), batch_size, collate_fn=collate)
