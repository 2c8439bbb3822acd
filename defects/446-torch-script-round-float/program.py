import torch

def model(x):
    return x * round(1.5)


run = torch.jit.script(model)
print(run(torch.tensor([1])))
