from base import Base
class Supervised(Base):
    def __init__(self, model, optimizer, **kw):
        super().__init__(model, optimizer)
    def loss(self, batch):
        raise NotImplementedError
    def step(self, batch):
        loss = self.loss(batch)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
