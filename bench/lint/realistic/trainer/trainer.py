import copy

import torch
import torch.nn as nn


class Trainer:
    def __init__(self, model, train_loader, val_loader, config, device):
        self.model = model.to(device)
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.config = config
        self.device = device
        self.criterion = nn.CrossEntropyLoss(label_smoothing=config.smoothing)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=config.lr)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=config.epochs)
        self.best_accuracy = -1.0
        self.best_state = None
        self.history = []

    def train_one_epoch(self):
        self.model.train()
        running = 0.0
        for features, labels in self.train_loader:
            features, labels = features.to(self.device), labels.to(self.device)
            logits = self.model(features)
            loss = self.criterion(logits, labels)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            running += loss.item()
        return running / len(self.train_loader)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        n_right = n_seen = 0
        for features, labels in self.val_loader:
            features, labels = features.to(self.device), labels.to(self.device)
            logits = self.model(features)
            n_right += (logits.argmax(1) == labels).sum().item()
            n_seen += len(labels)
        return n_right / n_seen

    def fit(self):
        for epoch in range(self.config.epochs):
            train_loss = self.train_one_epoch()
            accuracy = self.validate()
            self.scheduler.step()
            self.history.append({"epoch": epoch, "loss": train_loss, "accuracy": accuracy})
            if accuracy > self.best_accuracy:
                self.best_accuracy = accuracy
                self.best_state = copy.deepcopy(self.model.state_dict())
            print(f"{epoch:3d} loss {train_loss:.4f} val {accuracy:.3f}")
        self.model.load_state_dict(self.best_state)
        return self.best_accuracy
