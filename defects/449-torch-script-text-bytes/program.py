import torch

def model(x):
    return x * len("h\u00e9llo")


run = torch.jit.script(model)
print(run(torch.tensor([1])))
