from torch.utils.data import Dataset


class Rows(Dataset):
    def __init__(self, x):
        self.x = x
        self.x[0].div_(255)

    def __getitem__(self, i):
        return self.x[i]
