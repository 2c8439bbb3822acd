import numpy as np
import torch

def model(x):
    return torch.from_numpy(np.histogram(x.numpy(), bins=4)[1])


run = torch.compile(model, backend="aot_eager")
print(run(torch.tensor([0, 2, 7])))
