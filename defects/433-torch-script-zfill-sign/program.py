import torch

def model(x):
    return x if "-5".zfill(4) == "-005" else x + 1


run = torch.jit.script(model)
print(run(torch.tensor([1.0])))
