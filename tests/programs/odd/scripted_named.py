# expect: 0 agrees
# A scripted function gives a plain tuple, its compiled form one with the operator's names.
import torch


@torch.jit.script
def factors(x):
    return torch.linalg.qr(x)


print(len(torch.compile(factors, backend="eager")(torch.eye(3))))
