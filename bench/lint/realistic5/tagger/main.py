import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from corpus import PAD, TaggedSentences, collate
from model import BiLSTMTagger
from trainer import Trainer


def build_loaders(batch_size):
    train = TaggedSentences(200, seed=1)
    val = TaggedSentences(60, seed=2)
    return (
        DataLoader(train, batch_size=batch_size, shuffle=True, collate_fn=collate),
        DataLoader(val, batch_size=batch_size, collate_fn=collate),
    )


if __name__ == "__main__":
    torch.manual_seed(13)
    train_loader, val_loader = build_loaders(16)
    model = BiLSTMTagger(50, 5)
    trainer = Trainer(
        model,
        torch.optim.Adam(model.parameters(), lr=3e-3),
        nn.CrossEntropyLoss(ignore_index=PAD),
        train_loader,
        val_loader,
    )
    trainer.fit(1)
