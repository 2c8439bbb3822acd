import torch


class Trainer:
    def save(self, epoch):
        state = {
            "model": self.model.state_dict(),
            "optimizer_state_dict": self.optimizer.state_dict(),
            "ema": self.ema.state_dict(),
            "epoch": epoch,
        }
        torch.save(state, self.path)

    def resume(self):
        ckpt = torch.load(self.path)
        self.model.load_state_dict(ckpt["model"])  # expect: SB269
        self.start_epoch = ckpt["epoch"] + 1
