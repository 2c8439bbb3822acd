from torch.utils.data import DataLoader, Dataset


class Fields(Dataset):
    def __init__(self, images, augment=False):
        self.images, self.augment = images, augment

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image = self.images[i]
        return image.flip(-1) if self.augment and i % 2 else image


def loaders(images, n_train):
    train_set = Fields(images[:n_train], augment=True)
    val_set = Fields(images[n_train:], augment=True)  # expect: SB222
    return DataLoader(train_set, 16, shuffle=True), DataLoader(val_set, 16)
