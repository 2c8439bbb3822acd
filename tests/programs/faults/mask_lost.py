# expect: mask
import torch
from torch.nn.utils import prune

real = prune.L1Unstructured.compute_mask
prune.L1Unstructured.compute_mask = lambda self, t, default_mask: torch.ones_like(real(self, t, default_mask))
net = torch.nn.Linear(8, 4)
prune.l1_unstructured(net, "weight", amount=0.25)
print(net(torch.randn(2, 8)))
