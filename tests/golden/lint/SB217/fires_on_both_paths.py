import torch


def basis(degree, mixed, dtype):
    if mixed:
        whole = torch.cat((torch.zeros(degree), torch.ones(degree)), dim=-1)
    else:
        whole = torch.zeros(degree)
    return torch.tensor(whole.reshape(degree, -1), dtype=dtype)  # expect: SB217
