import torch
import torch.nn.functional as F
from torch import nn
from torch.nn import CrossEntropyLoss


class Classifier(nn.Module):
    """The logits of one position stand for the sequence: its label is a class, none is padding."""

    def __init__(self, config):
        super().__init__()
        self.body = nn.GRU(8, 8, batch_first=True)
        self.score = nn.Linear(8, config.num_labels)
        self.config = config
        self.num_labels = config.num_labels

    def forward(self, input_ids, embedded, labels, left):
        logits = self.score(self.body(embedded)[0])
        batch_size = logits.shape[0]
        if left:
            pooled_logits = logits[:, -1]
        else:
            lengths = torch.eq(input_ids, self.config.pad_token_id).int().argmax(-1) - 1
            pooled_logits = logits[torch.arange(batch_size, device=logits.device), lengths]
        loss_fct = CrossEntropyLoss()
        return loss_fct(pooled_logits.view(-1, self.num_labels), labels.view(-1))

    def loss_of_first(self, input_ids, hidden, labels):
        real = input_ids.ne(self.config.pad_token_id)
        first = self.score(hidden[:, 0] * real[:, :1])
        return F.cross_entropy(first.view(-1, self.num_labels), labels.view(-1))
