import torch
import torch.nn as nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.heads, self.p = c["heads"], c["dropout"]
        self.qkv = nn.Linear(c["dim"], 3 * c["dim"], bias=False)
        self.proj = nn.Linear(c["dim"], c["dim"], bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (t.view(B, T, self.heads, C // self.heads).transpose(1, 2) for t in self.qkv(x).chunk(3, dim=-1))
        y = F.scaled_dot_product_attention(q, k, v, dropout_p=self.p if self.training else 0.0, is_causal=True)
        return self.proj(y.transpose(1, 2).reshape(B, T, C))


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(c["dim"]), nn.LayerNorm(c["dim"])
        self.attn = Attention(c)
        self.mlp = nn.Sequential(nn.Linear(c["dim"], 4 * c["dim"]), nn.GELU(), nn.Linear(4 * c["dim"], c["dim"]))

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class GPT(nn.Module):
    def __init__(self, c, vocab):
        super().__init__()
        self.tok = nn.Embedding(vocab, c["dim"])
        self.pos = nn.Parameter(torch.zeros(1, c["block"], c["dim"]))
        self.blocks = nn.ModuleList([Block(c) for _ in range(c["layers"])])
        self.ln = nn.LayerNorm(c["dim"])
        self.head = nn.Linear(c["dim"], vocab, bias=False)

    def forward(self, idx, targets=None):
        x = self.tok(idx) + self.pos[:, :idx.size(1)]
        for block in self.blocks:
            x = block(x)
        logits = self.head(self.ln(x))
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.view(-1, logits.size(-1)), targets.reshape(-1))

    def param_groups(self, weight_decay):
        params = [p for p in self.parameters() if p.requires_grad]
        return [
            {"params": [p for p in params if p.dim() >= 2], "weight_decay": weight_decay},
            {"params": [p for p in params if p.dim() < 2], "weight_decay": 0.0},
        ]
