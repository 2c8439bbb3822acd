from typing import Optional

import torch
from torch import nn
from transformers import BertConfig, BertModel
from transformers.modeling_outputs import SequenceClassifierOutput


class MaskedMean(nn.Module):
    def forward(self, hidden_states: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        mask = attention_mask.unsqueeze(-1).to(hidden_states.dtype)
        return (hidden_states * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1e-6)


class TicketClassifier(nn.Module):
    """A small BERT with a topic head and an urgency head."""

    def __init__(self, vocab_size: int, num_topics: int, frozen_layers: int = 1):
        super().__init__()
        config = BertConfig(
            vocab_size=vocab_size, hidden_size=32, num_hidden_layers=3, num_attention_heads=4, intermediate_size=64, max_position_embeddings=64
        )
        self.bert = BertModel(config, add_pooling_layer=False)
        self.pool = MaskedMean()
        self.dropout = nn.Dropout(0.1)
        self.topic = nn.Linear(config.hidden_size, num_topics)
        self.urgency = nn.Linear(config.hidden_size, 1)
        for param in self.bert.embeddings.parameters():
            param.requires_grad = False
        for layer in self.bert.encoder.layer[:frozen_layers]:
            for param in layer.parameters():
                param.requires_grad = False

    def forward(
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor,
        labels: Optional[torch.Tensor] = None,
        urgent: Optional[torch.Tensor] = None,
    ) -> SequenceClassifierOutput:
        outputs = self.bert(input_ids=input_ids, attention_mask=attention_mask)
        pooled = self.dropout(self.pool(outputs.last_hidden_state, attention_mask))
        logits = self.topic(pooled)
        score = self.urgency(pooled).squeeze(-1)
        loss = None
        if labels is not None:
            loss = nn.functional.cross_entropy(logits, labels, label_smoothing=0.1)
        if loss is not None and urgent is not None:
            loss = loss + 0.5 * nn.functional.binary_cross_entropy_with_logits(score, urgent)
        return SequenceClassifierOutput(loss=loss, logits=logits)
