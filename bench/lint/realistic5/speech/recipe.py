import torch
from torch.utils.data import DataLoader, Dataset

from acoustic import AcousticModel


class Utterances(Dataset):
    def __init__(self, split, n):
        g = torch.Generator().manual_seed(len(split))
        self.frames = torch.randn(n, 30, 12, generator=g)
        self.symbols = torch.randint(1, 8, (n, 6), generator=g)

    def __len__(self):
        return len(self.frames)

    def __getitem__(self, i):
        return self.frames[i], self.symbols[i]


class Experiment:
    def __init__(self, hparams):
        self.hparams = hparams
        self.modules = {"acoustic": AcousticModel(hidden=hparams["hidden"])}
        self.ctc = torch.nn.CTCLoss(blank=0, zero_infinity=True)
        self.optimizer = torch.optim.Adadelta(self.modules["acoustic"].parameters(), lr=hparams["lr"])

    def compute_loss(self, batch):
        frames, symbols = batch
        log_probs = self.modules["acoustic"](frames).transpose(0, 1)
        n = frames.size(0)
        in_lengths = torch.full((n,), log_probs.size(0), dtype=torch.long)
        out_lengths = torch.full((n,), symbols.size(1), dtype=torch.long)
        return self.ctc(log_probs, symbols, in_lengths, out_lengths)

    def fit_batch(self, batch):
        loss = self.compute_loss(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.modules["acoustic"].parameters(), 5.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        return loss.detach()

    def evaluate_batch(self, batch):
        with torch.no_grad():
            return self.compute_loss(batch).item()

    def fit(self, train_loader, valid_loader):
        for epoch in range(self.hparams["epochs"]):
            self.modules["acoustic"].train()
            total = 0.0
            for batch in train_loader:
                total += self.fit_batch(batch)
            self.modules["acoustic"].eval()
            valid = sum(self.evaluate_batch(b) for b in valid_loader) / len(valid_loader)
            print(f"epoch {epoch} train {total / len(train_loader):.3f} valid {valid:.3f}")
            torch.save({"acoustic": self.modules["acoustic"].state_dict(), "optimizer": self.optimizer.state_dict(), "epoch": epoch}, "ckpt.pt")


if __name__ == "__main__":
    torch.manual_seed(5)
    experiment = Experiment({"hidden": 24, "lr": 0.5, "epochs": 1})
    train_loader = DataLoader(Utterances("train", 96), batch_size=16, shuffle=True)
    valid_loader = DataLoader(Utterances("valid", 32), batch_size=16)
    experiment.fit(train_loader, valid_loader)
