import torch

def model(x):
    return x * len("a  b".rsplit())


run = torch.jit.script(model)
print(run(torch.tensor([1.0])))
