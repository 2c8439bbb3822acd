from data import Images
from torch.utils.data import DataLoader


def loaders(root):
    train_set = Images(root, split="train", augment=True)
    val_set = Images(root, split="val", augment=True)  # expect: SB222
    return DataLoader(train_set, batch_size=32, shuffle=True), DataLoader(val_set, batch_size=64)
