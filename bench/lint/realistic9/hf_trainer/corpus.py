from dataclasses import dataclass

import torch
from torch.utils.data import Dataset

PAD_ID, CLS_ID, FIRST_WORD = 0, 1, 10


class TicketDataset(Dataset):
    def __init__(self, size: int, vocab_size: int, num_topics: int, seed: int):
        gen = torch.Generator().manual_seed(seed)
        self.rows = []
        for _ in range(size):
            topic = int(torch.randint(num_topics, (1,), generator=gen))
            length = int(torch.randint(4, 20, (1,), generator=gen))
            words = torch.randint(FIRST_WORD, vocab_size, (length,), generator=gen)
            words[: length // 2] = FIRST_WORD + topic
            urgent = float(words[-1] % 2)
            self.rows.append({"words": words.tolist(), "topic": topic, "urgent": urgent})

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, idx):
        return self.rows[idx]


@dataclass
class TicketCollator:
    max_length: int = 16

    def __call__(self, rows):
        sequences = [[CLS_ID] + row["words"][: self.max_length - 1] for row in rows]
        width = max(len(s) for s in sequences)
        input_ids = torch.tensor([s + [PAD_ID] * (width - len(s)) for s in sequences])
        attention_mask = torch.tensor([[1] * len(s) + [0] * (width - len(s)) for s in sequences])
        return {
            "input_ids": input_ids,
            "attention_mask": attention_mask,
            "labels": torch.tensor([row["topic"] for row in rows]),
            "urgent": torch.tensor([row["urgent"] for row in rows]),
        }
