import torch


class SlotAttention(torch.nn.Module):
    def forward(self, q, k, v):
        attn = (q @ k.transpose(-2, -1)).softmax(dim=-2)
        attn = attn / attn.sum(dim=-1, keepdim=True)
        return attn @ v
