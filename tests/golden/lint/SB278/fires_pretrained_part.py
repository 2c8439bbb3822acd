import torch
from torch import nn


from transformers import BertModel


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.bert = BertModel.from_pretrained("bert-base-uncased")
        self.head = nn.Linear(768, 2)
        self.apply(self._init_weights)  # expect: SB278

    def _init_weights(self, m):
        if isinstance(m, nn.Linear):
            nn.init.zeros_(m.bias)
