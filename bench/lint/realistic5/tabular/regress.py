"""Predicts a price from a table, with early stopping."""
import copy

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Table(Dataset):
    def __init__(self, features, prices):
        self.features = torch.as_tensor(features, dtype=torch.float32)
        self.prices = torch.as_tensor(prices, dtype=torch.float32).unsqueeze(1)

    def __len__(self):
        return len(self.features)

    def __getitem__(self, idx):
        return self.features[idx], self.prices[idx]


class PriceNet(nn.Module):
    def __init__(self, n_features, sizes=(32, 16), p=0.2):
        super().__init__()
        layers = []
        for size in sizes:
            layers += [nn.Linear(n_features, size), nn.ReLU(), nn.Dropout(p)]
            n_features = size
        self.body = nn.Sequential(*layers)
        self.out = nn.Linear(n_features, 1)

    def forward(self, x):
        return self.out(self.body(x))


class EarlyStopping:
    def __init__(self, patience=3):
        self.patience = patience
        self.best_loss = None
        self.best_weights = None
        self.bad_epochs = 0

    def __call__(self, loss, model):
        if self.best_loss is None or loss < self.best_loss:
            self.best_loss = loss
            self.best_weights = copy.deepcopy(model.state_dict())
            self.bad_epochs = 0
        else:
            self.bad_epochs += 1
        return self.bad_epochs >= self.patience


def load(seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(5.0, 2.0, (400, 6))
    y = x @ rng.normal(size=6) + rng.normal(size=400)
    order = rng.permutation(len(x))
    train_idx, val_idx, test_idx = order[:280], order[280:340], order[340:]
    mean, std = x[train_idx].mean(0), x[train_idx].std(0)
    x = (x - mean) / std
    return [Table(x[i], y[i]) for i in (train_idx, val_idx, test_idx)]


def evaluate(model, loader, criterion):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for features, prices in loader:
            total += criterion(model(features), prices).item() * len(features)
    return total / len(loader.dataset)


def run(epochs=2):
    torch.manual_seed(0)
    train_set, val_set, test_set = load()
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=64)
    test_loader = DataLoader(test_set, batch_size=64)
    model = PriceNet(6)
    criterion = nn.MSELoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)
    stopper = EarlyStopping()

    for epoch in range(epochs):
        model.train()
        for features, prices in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(features), prices)
            loss.backward()
            optimizer.step()
        val_loss = evaluate(model, val_loader, criterion)
        scheduler.step(val_loss)
        print(epoch, round(val_loss, 4))
        if stopper(val_loss, model):
            break

    model.load_state_dict(stopper.best_weights)
    print("test", round(evaluate(model, test_loader, criterion), 4))


if __name__ == "__main__":
    run()
