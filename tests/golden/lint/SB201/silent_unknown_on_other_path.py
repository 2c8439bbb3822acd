import torch


def widen(read, half):
    batch = read()
    if half:
        batch = torch.zeros(3)
    batch.to("cuda")
    return batch
