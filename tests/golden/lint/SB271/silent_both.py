import torch
import torch.nn.functional as F


def loss(s, t, temperature):
    t = t / temperature
    one = F.kl_div(F.log_softmax(s / temperature, dim=-1), F.softmax(t, dim=-1), reduction="batchmean")
    two = F.kl_div(F.log_softmax(s, dim=-1), F.softmax(t, dim=-1), reduction="batchmean")
    return one + two
