import numpy as np
import torch

def model(x):
    return torch.from_numpy(np.fft.fft(x.numpy()))


run = torch.compile(model, backend="aot_eager")
print(run(torch.tensor([1.0, 2.0])))
