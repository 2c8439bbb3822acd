import torch

def model(x):
    return x if (1 + 2j) ** 2 == (-3 + 4j) else x + 1


run = torch.jit.script(model)
print(run(torch.tensor([1.0])))
