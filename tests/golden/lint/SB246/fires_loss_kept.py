import torch


class Keeper:
    def update(self, model, val_loss):
        if self.best_loss is None or val_loss > self.best_loss:  # expect: SB246
            self.best_loss = val_loss
            self.best = {k: v.clone() for k, v in model.state_dict().items()}
