from datasets import load_dataset
from torch.utils.data import DataLoader


def make_loaders(tokenize):
    data = load_dataset("imdb").map(tokenize, batched=True)
    train_loader = DataLoader(data["train"], batch_size=16, shuffle=True)
    eval_loader = DataLoader(data["train"], batch_size=32)  # expect: SB239
    return train_loader, eval_loader
