"""Trains, validates, keeps the best weights, stops early."""

import copy

import torch


class Trainer:
    def __init__(self, model, optimizer, criterion, device, patience=3):
        self.model = model.to(device)
        self.optimizer = optimizer
        self.criterion = criterion
        self.device = device
        self.patience = patience
        self.best_loss = float("inf")
        self.best_weights = None
        self.bad_epochs = 0
        self.history = []

    def _to_device(self, batch):
        return [t.to(self.device) for t in batch]

    def train_one_epoch(self, loader):
        self.model.train()
        losses = []
        for batch in loader:
            x, y = self._to_device(batch)
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    @torch.no_grad()
    def validate(self, loader):
        self.model.eval()
        total, count = 0.0, 0
        for batch in loader:
            x, y = self._to_device(batch)
            total += self.criterion(self.model(x), y).item() * len(x)
            count += len(x)
        return total / count

    def remember(self, value):
        if value < self.best_loss:
            self.best_loss = value
            self.best_weights = copy.deepcopy(self.model.state_dict())
            self.bad_epochs = 0
        else:
            self.bad_epochs += 1

    def fit(self, train_loader, val_loader, epochs):
        for epoch in range(epochs):
            train_loss = self.train_one_epoch(train_loader)
            val_loss = self.validate(val_loader)
            self.history.append((train_loss, val_loss))
            self.remember(val_loss)
            print(f"{epoch}: train {train_loss:.4f} val {val_loss:.4f}")
            if self.bad_epochs >= self.patience:
                break
        self.model.load_state_dict(self.best_weights)
        return self.model
