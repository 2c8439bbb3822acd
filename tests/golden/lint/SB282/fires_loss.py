class Trainer:
    def fit(self):
        for epoch in range(9):
            val_loss = self.validate()
            self.best_loss = min(self.best_loss, val_loss)
            if val_loss < self.best_loss:  # expect: SB282
                self.save()
