import torch
from pytorch_lightning.callbacks import ModelCheckpoint
from transformers import TrainingArguments


def fit(model, optimizer, validate, train, mode):
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="max", patience=2)
    other = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
    third = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode=mode)
    for epoch in range(10):
        train(model, optimizer)
        val_loss, acc = validate(model)
        scheduler.step(acc)
        scheduler.step(-val_loss)
        other.step(val_loss)
        other.step(1 - acc)
        third.step(acc)


keep = [ModelCheckpoint(monitor="val_acc", mode="max"), ModelCheckpoint(monitor="val_loss"), ModelCheckpoint()]
args = TrainingArguments("out", metric_for_best_model="accuracy", greater_is_better=True)
