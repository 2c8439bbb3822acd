import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, dropout_p=self.p if self.training else 0.0)


class Chosen(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, q, k, v):
        p = self.p if self.training else 0.0
        return F.scaled_dot_product_attention(q, k, v, dropout_p=p)


class Never(nn.Module):
    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, dropout_p=0.0)


class Toggled(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.rate = self.p = p

    def train(self, mode=True):
        self.p = self.rate if mode else 0.0
        return super().train(mode)

    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, dropout_p=self.p)
