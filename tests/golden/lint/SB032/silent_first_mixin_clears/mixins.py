class Updates:
    def update(self, loss):
        loss.backward()
        self.optimizer.step()


class Names:
    def name(self):
        return "trainer"
