import torch.nn.functional as F
from torch import nn


class SelfAttention(nn.Module):
    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v)


class ImageClassifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = SelfAttention()
