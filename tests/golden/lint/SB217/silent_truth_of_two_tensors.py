import torch


def is_close(x, y, tolerance):
    near = torch.allclose(x, y, atol=tolerance)
    return torch.tensor(near)


def facts(x, y):
    same = torch.tensor(torch.equal(x, y))
    whole = torch.tensor(torch.is_floating_point(x))
    count = torch.tensor([torch.numel(x)])
    return same, whole, count, torch.tensor(torch.numel(y)), torch.tensor(torch.zeros(3).equal(y))
