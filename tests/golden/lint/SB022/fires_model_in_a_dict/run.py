import torch
from engine import evaluate, train
from torch import nn
from torch.utils.data import DataLoader


def main(data, held):
    model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    state = {"model": model, "optimizer": optimizer, "criterion": nn.CrossEntropyLoss()}
    loader = DataLoader(data, batch_size=4, shuffle=True)
    val_loader = DataLoader(held, batch_size=4)
    for epoch in range(3):
        train(state, loader)
        print(evaluate(state, val_loader))
