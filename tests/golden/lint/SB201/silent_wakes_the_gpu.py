import torch


def occupy_gpu(gpus):
    torch.zeros(1).cuda()
    for gpu in gpus:
        torch.zeros(1).cuda(gpu)
