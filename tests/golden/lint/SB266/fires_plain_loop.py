import torch
import torchmetrics


def fit(model, loader, epochs):
    accuracy = torchmetrics.Accuracy(task="multiclass", num_classes=3)
    for epoch in range(epochs):
        for x, y in loader:
            accuracy.update(model(x), y)
        print(epoch, accuracy.compute())  # expect: SB266
