import torch

def model(x):
    return torch.nan_to_num(x)


run = torch.compile(model, backend="aot_eager_decomp_partition")
print(run(torch.tensor([1 + 2j])))
