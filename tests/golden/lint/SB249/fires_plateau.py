import torch


def fit(model, optimizer, validate, train):
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="max", patience=2)  # expect: SB249
    for epoch in range(10):
        train(model, optimizer)
        val_loss, acc = validate(model)
        scheduler.step(val_loss)


class Trainer:
    def __init__(self, optimizer):
        self.scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=2)

    def end(self, val_acc):
        self.scheduler.step(val_acc)  # expect: SB249
