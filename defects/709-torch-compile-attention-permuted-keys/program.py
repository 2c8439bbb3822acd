import torch


def model(tokens):
    heads = tokens[:, :2]
    return torch.softmax(heads @ heads.permute(1, 0, 3, 2) * 0.5, -1) @ heads


tokens = torch.linspace(-40, 60, 96).sin().reshape(2, 3, 4, 4)
fast = torch.compile(model)
print(fast(tokens))
