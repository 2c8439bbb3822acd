import torch

def model(x):
    return x if "{0} {1}".format("a", "b") == "a b" else x + 1


run = torch.jit.script(model)
print(run(torch.tensor([1.0])))
