import numpy as np
import torch


def model(x):
    return torch.from_numpy(np.diff(x.numpy(), prepend=0))


fast = torch.compile(model, backend="eager")
print(fast(torch.tensor([0.1, 0.5])))
