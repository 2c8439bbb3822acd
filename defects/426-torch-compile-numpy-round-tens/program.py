import numpy as np
import torch

def model(x):
    return torch.from_numpy(np.round(x.numpy(), -1))


run = torch.compile(model, backend="aot_eager")
print(run(torch.tensor([15, 26, -3])))
