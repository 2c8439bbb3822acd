import torch
from torch.utils.data import DataLoader, Dataset


class Windows(Dataset):
    def __init__(self, series, length=32, horizon=4):
        self.series, self.length, self.horizon = series, length, horizon

    def __len__(self):
        return len(self.series) - self.length - self.horizon + 1

    def __getitem__(self, i):
        x = self.series[i:i + self.length]
        y = self.series[i + self.length:i + self.length + self.horizon]
        return x, y


def build_dataloaders(batch_size):
    t = torch.arange(600).float()
    series = torch.sin(t / 5) + 0.5 * torch.sin(t / 17) + 0.1 * torch.randn(600)
    train, val, test = series[:400], series[400:500], series[500:]
    mean, std = train.mean(), train.std()
    train_loader = DataLoader(Windows((train - mean) / std), batch_size=batch_size, shuffle=True)
    val_loader = DataLoader(Windows((val - mean) / std), batch_size=batch_size, shuffle=False)
    test_loader = DataLoader(Windows((test - mean) / std), batch_size=batch_size, shuffle=False)
    return train_loader, val_loader, test_loader
