import copy
import time

import torch
from torch import nn

from layers import PatchTransformer
from windows import build_dataloaders


class EarlyStopping:
    def __init__(self, patience):
        self.patience, self.counter, self.best, self.state = patience, 0, None, None

    def __call__(self, value, model):
        if self.best is None or value < self.best:
            self.best, self.counter = value, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.counter += 1
        return self.counter >= self.patience


class Exp_Forecast:
    def __init__(self, args):
        self.args = args
        self.device = torch.device("cpu")
        self.model = self._build_model().to(self.device)

    def _build_model(self):
        return PatchTransformer()

    def _select_optimizer(self):
        return torch.optim.Adam(self.model.parameters(), lr=self.args["lr"])

    def _select_criterion(self):
        return nn.MSELoss()

    def vali(self, loader, criterion):
        total = []
        self.model.eval()
        with torch.no_grad():
            for x, y in loader:
                outputs = self.model(x.to(self.device))
                total.append(criterion(outputs, y.to(self.device)).item())
        self.model.train()
        return sum(total) / len(total)

    def train(self):
        train_loader, val_loader, test_loader = build_dataloaders(self.args["batch_size"])
        optimizer = self._select_optimizer()
        criterion = self._select_criterion()
        scheduler = torch.optim.lr_scheduler.OneCycleLR(
            optimizer, max_lr=self.args["lr"], steps_per_epoch=len(train_loader), epochs=self.args["epochs"])
        stopper = EarlyStopping(patience=3)
        for epoch in range(self.args["epochs"]):
            train_loss, began = [], time.time()
            self.model.train()
            for x, y in train_loader:
                optimizer.zero_grad()
                outputs = self.model(x.to(self.device))
                loss = criterion(outputs, y.to(self.device))
                train_loss.append(loss.item())
                loss.backward()
                optimizer.step()
                scheduler.step()
            val_loss = self.vali(val_loader, criterion)
            print("Epoch {} {:.1f}s train {:.4f} val {:.4f}".format(
                epoch + 1, time.time() - began, sum(train_loss) / len(train_loss), val_loss))
            if stopper(val_loss, self.model):
                break
        self.model.load_state_dict(stopper.state)
        print("test", self.vali(test_loader, criterion))
        torch.save(self.model.state_dict(), "forecast.pt")
        return self.model


if __name__ == "__main__":
    torch.manual_seed(2021)
    Exp_Forecast({"lr": 1e-3, "batch_size": 32, "epochs": 2}).train()
