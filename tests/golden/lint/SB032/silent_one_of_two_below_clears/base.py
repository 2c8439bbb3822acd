import torch


class Base:
    def __init__(self, config):
        self.config = config
        self.model = None
        self.optimizer = None

    def train_step(self, batch):
        raise NotImplementedError

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            self.model.train()
            for batch in loader:
                loss = self.train_step(batch)
                loss.backward()
                self.optimizer.step()

    def validate(self, loader):
        self.model.eval()
        right = 0
        with torch.no_grad():
            for x, y in loader:
                out = self.model(x)
                right += (out.argmax(1) == y).sum().item()
        print("accuracy", right)
