from torch.utils.data import TensorDataset


def make(x, y, n_train):
    seen = x[:n_train]
    mean = seen.mean(dim=0, keepdim=True)
    std = seen.std(dim=0, keepdim=True)
    x = (x - mean) / std
    return {"fit": TensorDataset(x[:n_train], y[:n_train]), "check": TensorDataset(x[n_train:], y[n_train:])}
