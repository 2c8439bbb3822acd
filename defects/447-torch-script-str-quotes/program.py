import torch

def model(x):
    return x if str((1, "a")) == "(1, 'a')" else x + 1


run = torch.jit.script(model)
print(run(torch.tensor([1.0])))
