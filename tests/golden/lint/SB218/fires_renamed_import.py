import torch.nn.functional as F
from torch.nn.init import xavier_uniform as start


def f(x, w):
    start(w)  # expect: SB218
    return F.upsample(x, scale_factor=2)  # expect: SB218
