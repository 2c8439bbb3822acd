import numpy as np
import torch
from torch.utils.data import Dataset


class Pictures(Dataset):
    def __init__(self, pictures):
        self.pictures = pictures

    def __getitem__(self, i):
        return torch.from_numpy(np.array(self.pictures[i]) / 255.0)
