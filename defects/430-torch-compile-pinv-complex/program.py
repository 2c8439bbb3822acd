import torch

def model(x):
    return torch.linalg.pinv(x)


run = torch.compile(model, backend="aot_eager")
print(run(torch.tensor([[1.0, 2j], [0.5j, 3.0]])))
