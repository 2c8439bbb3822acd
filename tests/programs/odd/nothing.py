# expect: 2 no optimised call was made
import torch

print(torch.ones(2).sum())
