from net import Net, data
import torch
from torch import nn
from torch.utils.data import DataLoader
from trainer import Trainer


def main():
    model = Net()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    crit = nn.CrossEntropyLoss()
    train_loader = DataLoader(data(), batch_size=8, shuffle=True)
    val_loader = DataLoader(data(), batch_size=8)
    trainer = Trainer(model, opt, crit)
    for epoch in range(3):
        print(trainer.train_epoch(train_loader))
        print(trainer.evaluate(val_loader))


main()
