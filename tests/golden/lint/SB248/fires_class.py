import torch


class EarlyStopping:
    def __init__(self, patience):
        self.patience = patience
        self.counter = 0
        self.best_loss = float("inf")
        self.stop = False

    def __call__(self, loss, model):
        if loss < self.best_loss:
            self.best_loss = loss
            torch.save(model.state_dict(), "best.pt")
        else:
            self.counter += 1  # expect: SB248
            if self.counter >= self.patience:
                self.stop = True
