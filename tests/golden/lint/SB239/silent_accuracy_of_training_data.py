from datasets import load_dataset
from torch.utils.data import DataLoader


def make_loaders(tokenize):
    data = load_dataset("imdb").map(tokenize, batched=True)
    train_loader = DataLoader(data["train"], batch_size=16, shuffle=True)
    train_eval_loader = DataLoader(data["train"], batch_size=32)
    return train_loader, train_eval_loader
