import torch

from data import NOTES, loaders
from loop import Patience, fit
from module import NoteTagger


def main():
    torch.manual_seed(5)
    train, val, labels = loaders()
    module = NoteTagger(labels)
    fit(module, train, val, epochs=3, n_classes=len(NOTES), stop=Patience("val_loss", rounds=2))


if __name__ == "__main__":
    main()
