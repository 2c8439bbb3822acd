import numpy as np
import torch
from torch.utils.data import Dataset


class Noise(Dataset):
    def __init__(self):
        self.rng = np.random.default_rng(0)  # expect: SB216

    def __getitem__(self, i):
        return self.rng.normal()
