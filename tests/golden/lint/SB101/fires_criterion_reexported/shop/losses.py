from torch import nn
from torch.nn import CrossEntropyLoss as Criterion

shared = nn.CrossEntropyLoss()
