import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


def loaders():
    t = transforms.ToTensor()
    train = datasets.MNIST("d", train=True, transform=t)
    test = datasets.MNIST("d", train=False, transform=t)
    return DataLoader(train, 64, shuffle=True), DataLoader(test, 64)


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    right = 0
    for x, y in loader:
        right += (model(x).argmax(1) == y).sum().item()
    return right / len(loader.dataset)


def main():
    train_loader, test_loader = loaders()
    model = nn.Sequential(nn.Flatten(), nn.Linear(784, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
        print("train accuracy", evaluate(model, train_loader))
    print("test accuracy", evaluate(model, test_loader))


main()
