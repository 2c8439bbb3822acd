import torch


@torch.no_grad()
def accuracy(model, loader):
    correct = 0
    for images, labels in loader:
        outputs = model(images)
        predicted, _ = torch.max(outputs.data, 1)
        correct += (predicted == labels).sum().item()  # expect: SB317
    return correct / len(loader.dataset)


@torch.no_grad()
def other(model, loader):
    correct = 0
    for x, y in loader:
        correct += (model(x).max(1)[0] == y).sum().item()  # expect: SB317
    return correct / len(loader.dataset)
