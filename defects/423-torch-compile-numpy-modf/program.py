import numpy as np
import torch

def model(x):
    return torch.from_numpy(np.modf(x.numpy())[0])


run = torch.compile(model, backend="aot_eager")
print(run(torch.tensor([-2.25, 1.5], dtype=torch.float64)))
