import torch


def decompose(matrix):
    if tuple(int(part) for part in torch.__version__.split(".")[:2]) < (1, 8):
        return torch.qr(matrix)
    return torch.linalg.qr(matrix)
