import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from trainer import Trainer

data = TensorDataset(torch.zeros(8, 4), torch.zeros(8, 2))
held_out = TensorDataset(torch.zeros(4, 4), torch.zeros(4, 2))
Trainer(nn.Linear(4, 2), DataLoader(data, batch_size=2), DataLoader(held_out, batch_size=2)).fit()  # expect: SB061
