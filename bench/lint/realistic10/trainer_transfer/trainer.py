import torch
import torch.nn as nn


class Trainer:
    def __init__(self, model, train, val, lr, clip=1.0):
        self.model, self.train_loader, self.val_loader = model, train, val
        self.criterion = nn.NLLLoss()
        self.clip = clip
        self.opt = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=lr, momentum=0.9)
        self.sched = torch.optim.lr_scheduler.ReduceLROnPlateau(self.opt, mode="max", patience=1)
        self.best_acc, self.best = -1.0, {}

    def fit(self, epochs, unfreeze_at):
        for epoch in range(epochs):
            if epoch == unfreeze_at:
                self.model.freeze(False)
                self.opt.add_param_group({"params": self.model.backbone.parameters(), "lr": 0.002})
            loss = self.train_epoch()
            acc = self.accuracy()
            self.sched.step(acc)
            if acc > self.best_acc:
                self.remember(acc)
            print(f"epoch {epoch:02d} loss {loss:.4f} acc {acc:.3f}")
        self.model.load_state_dict(self.best)
        return self.best_acc

    def remember(self, acc):
        self.best_acc = acc
        self.best = {k: v.detach().clone() for k, v in self.model.state_dict().items()}

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for x, y in self.train_loader:
            loss = self.criterion(self.model(x), y)
            self.optimise(loss)
            total += loss.item() * len(y)
        return total / len(self.train_loader.dataset)

    def optimise(self, loss):
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.opt.step()

    @torch.no_grad()
    def accuracy(self):
        self.model.eval()
        right = sum((self.model(x).argmax(dim=1) == y).sum().item() for x, y in self.val_loader)
        return right / len(self.val_loader.dataset)
