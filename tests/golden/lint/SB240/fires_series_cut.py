import torch
from torch.utils.data import DataLoader


def prepare(load, Windows):
    series = load()
    a, b = int(0.7 * len(series)), int(0.85 * len(series))
    mean, std = series.mean(), series.std()  # expect: SB240
    sets = [Windows((series - mean) / std, lo, hi) for lo, hi in ((0, a), (a, b), (b, len(series)))]
    return [DataLoader(s, 32, shuffle=i == 0) for i, s in enumerate(sets)]
