from torch import nn


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(dim, dim)

    def forward(self, x):
        B, T, C = x.shape
        q = self.q(x).transpose(1, 2).contiguous()
        q = q.view(B, self.heads, C // self.heads, T)
        merged = q.transpose(2, 3).contiguous().view(B, self.heads, T, C // self.heads)
        return merged
