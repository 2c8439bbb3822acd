import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm


@torch.no_grad()
def evaluate(model, loader):
    progress = tqdm(loader, desc="test")
    total = 0.0
    for x, y in progress:
        total += nn.functional.mse_loss(model(x), y).item()
    return total / len(loader)


def main():
    data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
    loader = DataLoader(data, batch_size=8)
    model = nn.Linear(4, 1)
    print(evaluate(model, loader))


main()
