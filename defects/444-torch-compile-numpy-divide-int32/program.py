import numpy as np
import torch

def model(x):
    return torch.from_numpy(np.true_divide(x.numpy(), 3))


run = torch.compile(model, backend="aot_eager")
print(run(torch.tensor([1], dtype=torch.int32)))
