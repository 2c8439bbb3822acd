# expect: 0 1 of 1 optimised calls compared
# The program's own mask is not of zeros and ones.
import torch
from torch.nn.utils import prune

layer = torch.nn.Linear(3, 2)
prune.custom_from_mask(layer, "weight", mask=torch.tensor([[0.0, 1.0, 10.0], [1.0, 0.0, 2.0]]))
