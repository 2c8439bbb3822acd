import torch
import torch.nn.functional as F


def attend(q, k, v, hidden):
    att = (q @ k.transpose(-2, -1)) / 8.0
    att = F.softmax(att, dim=-1)  # expect: SB258
    att = att.masked_fill(hidden, 0.0)
    return att @ v
