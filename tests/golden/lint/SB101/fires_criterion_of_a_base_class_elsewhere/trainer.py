from base import BaseTrainer

class Classifier(BaseTrainer):
    def training_step(self, batch):
        x, y = batch
        probs = self.model(x)
        return self.criterion(probs, y)  # expect: SB101
