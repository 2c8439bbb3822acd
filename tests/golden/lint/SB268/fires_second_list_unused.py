import torch
from torch import nn


def create(model, lr):
    no_decay = ("bias", "LayerNorm.weight")
    decay = [p for n, p in model.named_parameters() if not any(nd in n for nd in no_decay)]
    plain = [p for n, p in model.named_parameters() if any(nd in n for nd in no_decay)]
    return torch.optim.AdamW([{"params": decay, "weight_decay": 0.01}], lr=lr)  # expect: SB268
