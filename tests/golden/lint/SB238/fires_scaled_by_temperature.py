import torch.nn.functional as F


def kd(s, t, T):
    return F.kl_div(F.log_softmax(s / T, dim=1), F.softmax(t / T, dim=1)) * T * T  # expect: SB238
