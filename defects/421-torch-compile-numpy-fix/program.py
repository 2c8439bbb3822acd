import numpy as np
import torch

def model(x):
    return torch.from_numpy(np.fix(x.numpy()))


run = torch.compile(model, backend="aot_eager")
print(run(torch.tensor([1.5, -1.5, 2.0])))
