import torch
from transformers import TrainingArguments

args = TrainingArguments("out", metric_for_best_model="eval_loss", greater_is_better=True)  # expect: SB249
more = TrainingArguments("out", metric_for_best_model="f1", greater_is_better=False)  # expect: SB249
