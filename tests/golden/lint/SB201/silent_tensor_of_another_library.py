from torchtoy.optimizer import Optimizer
from torchtoy.tensor import Tensor


class Momentum(Optimizer):
    def step(self):
        for i, (owner, name) in enumerate(self.slots):
            weight = getattr(owner, name)
            if not isinstance(weight.grad, Tensor):
                continue
            speed = self.momentum * self.speeds[i] - self.lr * weight.grad
            setattr(owner, name, weight + speed)
            self.speeds[i] = speed
            speed.detach()
