import torch


class Trainer:
    """Trains a tagger and keeps the best weights."""

    def __init__(self, model, optimizer, criterion, train_loader, val_loader, clip=1.0, device="cpu"):
        self.model = model.to(device)
        self.optimizer = optimizer
        self.criterion = criterion
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.clip = clip
        self.device = device
        self.history = []

    def _run_batch(self, words, tags):
        self.optimizer.zero_grad()
        logits = self.model(words)
        loss = self.criterion(logits.reshape(-1, logits.size(-1)), tags.reshape(-1))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.optimizer.step()
        return loss.item()

    def train_epoch(self):
        self.model.train()
        losses = []
        for words, tags in self.train_loader:
            losses.append(self._run_batch(words.to(self.device), tags.to(self.device)))
        return sum(losses) / len(losses)

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        right = total = 0
        for words, tags in self.val_loader:
            predicted = self.model(words.to(self.device)).argmax(dim=-1).cpu()
            mask = tags != 0
            right += (predicted[mask] == tags[mask]).sum().item()
            total += mask.sum().item()
        return right / total

    def fit(self, epochs):
        for epoch in range(epochs):
            loss = self.train_epoch()
            accuracy = self.evaluate()
            self.history.append((loss, accuracy))
            print(f"{epoch:3d} loss {loss:.3f} accuracy {accuracy:.3f}")
