def accuracy(model, val_loader):
    right, seen = 0, 0
    for x, label in val_loader:
        right += (model(x).argmax(-1) == label).sum().item()
        seen += len(label)
    return right / seen
