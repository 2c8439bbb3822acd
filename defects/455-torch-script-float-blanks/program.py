import torch

def model(x):
    return x * float(" 2.5 ")


run = torch.jit.script(model)
print(run(torch.tensor([1.0])))
