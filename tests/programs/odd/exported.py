# expect: 0 1 of 1 optimised calls compared
import torch

made = torch.export.export(torch.nn.Linear(3, 2), (torch.randn(4, 3),))
assert isinstance(made, torch.export.ExportedProgram)
print(made.module()(torch.randn(4, 3)).shape)
