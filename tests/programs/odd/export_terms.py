# expect: 2 a conversion under the program's own terms raised
# The terms name a dim that the input does not have: the refusal is right.
import torch

x = torch.randn(4)
dims = {0: torch.export.Dim("rows"), 1: torch.export.Dim("columns")}
try:
    torch.export.export(torch.nn.ReLU(), (x,), dynamic_shapes={"input": dims})
except Exception as e:
    print(type(e))
