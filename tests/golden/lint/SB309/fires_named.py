import torch.nn.functional as F
from torch import nn


class CausalAttention(nn.Module):
    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v)  # expect: SB309
