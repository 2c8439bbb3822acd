import torch
import torch.nn as nn
bce = nn.BCEWithLogitsLoss()
def judge(disc, real):
    on_real = disc(real)
    return bce(on_real, torch.ones_like(on_real))  # expect: SB102

