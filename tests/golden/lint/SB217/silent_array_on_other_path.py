import torch


def basis(build, degree, mixed, dtype):
    first = build(degree).array
    if mixed:
        whole = torch.cat((first, build(-degree).array), dim=-1)
    else:
        whole = first
    if whole.shape[-1] == 0:
        return []
    whole = torch.tensor(whole.reshape(degree, -1), dtype=dtype)
    return [torch.moveaxis(whole, -2, 0)]
