import torch
from torch import nn

from trainer import Trainer

trainer = Trainer(nn.Linear(4, 2), torch.zeros(8, 4), torch.zeros(8, 2))
trainer.fit(3)
