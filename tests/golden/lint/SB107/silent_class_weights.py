import torch
from torch import nn
from torch.nn import functional as F

criterion = nn.CrossEntropyLoss(torch.tensor([0.2, 0.8]))
