import torch


class Trainer:
    def __init__(self, model):
        self.model = model
        self.best_acc = 0.0

    def end_of_epoch(self, acc):
        if acc < self.best_acc:  # expect: SB246
            self.best_acc = acc
            torch.save(self.model.state_dict(), "best.pt")
