from torch.utils.data import TensorDataset, random_split


class Rows:
    def setup(self, x, y, g):
        full = TensorDataset(x, y)
        self.train, self.val = random_split(full, [0.8, 0.2], generator=g)
        xs = full.tensors[0]
        self.mean, self.std = xs.mean(), xs.std()  # expect: SB240
