from torch import nn
from transformers import BertModel, BertPreTrainedModel


class Classifier(BertPreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.bert = BertModel(config)
        self.out = nn.Linear(config.hidden_size, 4)

    def forward(self, ids, mask):
        h = self.bert(ids, attention_mask=mask).last_hidden_state
        return self.out(nn.Dropout(0.1)(h[:, 0]))  # expect: SB229
