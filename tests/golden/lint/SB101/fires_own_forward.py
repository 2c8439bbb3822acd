import lightning as L
from torch import nn


class Lit(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(8, 3)
        self.loss = nn.CrossEntropyLoss()

    def forward(self, x):
        return self.net(x).softmax(-1)

    def training_step(self, batch, i):
        x, y = batch
        return self.loss(self(x), y)  # expect: SB101
