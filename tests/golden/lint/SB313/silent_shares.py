def of_examples(model, loader):
    correct = 0
    for x, y in loader:
        correct += (model(x).argmax(1) == y).sum().item()
    return correct / len(loader.dataset)


def of_means(model, loader):
    total = 0.0
    for x, y in loader:
        total += (model(x).argmax(1) == y).float().mean().item()
    return total / len(loader)


def of_parts(model, loader):
    total = 0.0
    for x, y in loader:
        total += (model(x).argmax(1) == y).sum().item() / len(y)
    return total / len(loader)


def of_counted(model, loader):
    correct, seen = 0, 0
    for x, y in loader:
        correct += (model(x).argmax(1) == y).sum().item()
        seen += len(y)
    return correct / seen
