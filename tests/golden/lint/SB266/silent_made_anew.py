import torch
import torchmetrics


def fit(model, loader, epochs):
    for epoch in range(epochs):
        accuracy = torchmetrics.Accuracy(task="multiclass", num_classes=3)
        for x, y in loader:
            accuracy.update(model(x), y)
        print(epoch, accuracy.compute())


def test(model, loader):
    accuracy = torchmetrics.Accuracy(task="multiclass", num_classes=3)
    for x, y in loader:
        accuracy.update(model(x), y)
    return accuracy.compute()
