from torch.utils.data import DataLoader


def accuracy(model, data):
    loader = DataLoader(data, batch_size=1)
    correct = 0
    for x, y in loader:
        correct += (model(x).argmax(1) == y).sum().item()
    return correct / len(loader)
