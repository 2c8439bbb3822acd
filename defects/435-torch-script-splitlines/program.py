import torch

def model(x):
    return x * len("a\r\nb".splitlines())


run = torch.jit.script(model)
print(run(torch.tensor([1.0])))
