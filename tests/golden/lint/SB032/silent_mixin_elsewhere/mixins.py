class Updates:
    def update(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


class Names:
    def name(self):
        return "trainer"
