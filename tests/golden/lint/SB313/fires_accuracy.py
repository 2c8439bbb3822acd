import torch


class Trainer:
    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        right = 0
        for x, y in self.val_loader:
            right += (self.model(x).argmax(dim=1) == y).sum().item()
        return 100.0 * right / len(self.val_loader)  # expect: SB313
