import torch.nn.functional as F
from middle import Supervised
class Regress(Supervised):
    def loss(self, batch):
        x, y = batch
        return F.mse_loss(self.model(x), y)
