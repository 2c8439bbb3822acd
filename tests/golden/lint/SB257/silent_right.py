import torch
from torch import nn

PAD = 0


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(32, 4, batch_first=True), 2)

    def forward(self, x, ids, scores):
        mask = ids != PAD
        attention_mask = (ids != PAD).long()
        padding = ids == PAD
        scores = scores.masked_fill(~mask, float("-inf")).masked_fill(mask == 0, -1e9).masked_fill(padding, -1e9)
        x = self.encoder(x, src_key_padding_mask=~mask)
        extended = (1.0 - attention_mask) * -1e4
        return self.encoder(x, src_key_padding_mask=(ids == PAD)), {"attention_mask": attention_mask}, extended
