import torch
class BaseTrainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def fit(self, train_loader, val_loader, epochs):
        for epoch in range(epochs):
            self.model.train()
            for batch in train_loader:
                loss = self.training_step(batch)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            print(self.validate(val_loader))

    @torch.no_grad()
    def validate(self, loader):
        right = seen = 0
        for batch in loader:
            r, s = self.validation_step(batch)  # expect: SB022
            right += r
            seen += s
        return right / seen
