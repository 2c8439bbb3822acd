class Updates:
    def update(self, loss):
        loss.backward()  # expect: SB032
        self.optimizer.step()


class Names:
    def name(self):
        return "trainer"
