import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, pad):
        super().__init__()
        self.pad = pad
        self.embed = nn.Embedding(100, 32)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(32, 4, batch_first=True), 2)

    def forward(self, tokens):
        mask = tokens != self.pad  # expect: SB257
        return self.encoder(self.embed(tokens), src_key_padding_mask=mask)
