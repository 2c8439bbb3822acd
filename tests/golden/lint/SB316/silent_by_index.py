import random

import torch
from torch.utils.data import Dataset


class ByIndex(Dataset):
    def __getitem__(self, i):
        random.seed(i)
        return self.x[i][random.randint(0, 4) :]


class Both(Dataset):
    def __getitem__(self, i):
        seed = random.randint(0, 2**31)
        random.seed(seed)
        image = self.transform(self.images[i])
        random.seed(seed)
        return image, self.transform(self.masks[i])


class Kept(Dataset):
    def __getitem__(self, i):
        state = torch.get_rng_state()
        torch.manual_seed(0)
        noise = torch.randn(3)
        torch.set_rng_state(state)
        return self.x[i] + noise
