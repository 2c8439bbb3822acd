from torch.utils.data import TensorDataset


def make(x, y, n_train):
    mean = x.mean(dim=0, keepdim=True)  # expect: SB240
    std = x.std(dim=0, keepdim=True)
    x = (x - mean) / std
    return {"fit": TensorDataset(x[:n_train], y[:n_train]), "check": TensorDataset(x[n_train:], y[n_train:])}
