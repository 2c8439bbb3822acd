import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, None, 0.0, True)


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = Attention()
