import torch


class BaseTrainer:
    """The loop; what a step does is the subclass's."""

    def __init__(self, cfg):
        self.cfg = cfg
        self.device = torch.device(cfg["device"])
        self.build()

    def build(self):
        raise NotImplementedError

    def train_step(self, batch):
        raise NotImplementedError

    def val_step(self, batch):
        raise NotImplementedError

    def run(self):
        for epoch in range(self.cfg["epochs"]):
            self.model.train()
            running = 0.0
            for batch in self.train_loader:
                batch = [t.to(self.device) for t in batch]
                self.optimizer.zero_grad()
                loss = self.train_step(batch)
                loss.backward()
                self.optimizer.step()
                running += loss.item()
            self.scheduler.step()
            print("train", epoch, running / len(self.train_loader))
            self.validate(epoch)

    def validate(self, epoch):
        self.model.eval()
        scores = []
        with torch.no_grad():
            for batch in self.val_loader:
                batch = [t.to(self.device) for t in batch]
                scores.append(self.val_step(batch))
        print("val", epoch, sum(scores) / len(scores))
