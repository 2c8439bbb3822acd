import torch.nn.functional as F


def consistency(a, b):
    return F.kl_div(a.log_softmax(-1), b.log_softmax(-1), reduction="batchmean")  # expect: SB303
