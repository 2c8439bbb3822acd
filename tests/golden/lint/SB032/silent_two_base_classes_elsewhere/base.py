class Base:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
    def run(self, loader, epochs):
        for epoch in range(epochs):
            self.train_epoch(loader)
    def train_epoch(self, loader):
        for batch in loader:
            self.step(batch)
