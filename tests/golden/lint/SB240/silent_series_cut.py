import torch
from torch.utils.data import DataLoader


def prepare(load, Windows):
    series = load()
    a, b = int(0.7 * len(series)), int(0.85 * len(series))
    mean, std = series[:a].mean(), series[:a].std()
    sets = [Windows((series - mean) / std, lo, hi) for lo, hi in ((0, a), (a, b), (b, len(series)))]
    return [DataLoader(s, 32, shuffle=i == 0) for i, s in enumerate(sets)]


def first_part(load, Windows):
    series = load()
    cut = int(0.8 * len(series))
    series, later = series[:cut], series[cut:]
    mean, std = series.mean(), series.std()
    return Windows((series - mean) / std), Windows((later - mean) / std)
