"""Intent classification with a tiny BERT from scratch and the huggingface Trainer."""
import random
from collections import Counter
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from transformers import (BertConfig, BertModel, BertPreTrainedModel, Trainer, TrainerCallback,
                          TrainingArguments, set_seed)
from transformers.modeling_outputs import SequenceClassifierOutput

PAD, CLS, VOCAB, LABELS = 0, 1, 120, 4


def make_rows(n: int, seed: int) -> list[dict]:
    rng = random.Random(seed)
    rows = []
    for _ in range(n):
        label = rng.choices(range(LABELS), weights=[6, 3, 2, 1])[0]
        words = [rng.randrange(2, VOCAB) for _ in range(rng.randint(4, 14))]
        words[rng.randrange(len(words))] = 2 + label
        rows.append({"input_ids": [CLS, *words], "labels": label})
    return rows


@dataclass
class PadCollator:
    pad_id: int = PAD

    def __call__(self, rows: list[dict]) -> dict[str, torch.Tensor]:
        longest = max(len(r["input_ids"]) for r in rows)
        ids = torch.full((len(rows), longest), self.pad_id)
        for i, r in enumerate(rows):
            ids[i, : len(r["input_ids"])] = torch.tensor(r["input_ids"])
        labels = torch.tensor([r["labels"] for r in rows])
        return {"input_ids": ids, "attention_mask": (ids != self.pad_id).long(), "labels": labels}


class BertForIntent(BertPreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        self.bert = BertModel(config, add_pooling_layer=False)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(config.hidden_size, config.num_labels)
        self.post_init()

    def forward(self, input_ids, attention_mask=None, labels=None):
        h = self.bert(input_ids, attention_mask=attention_mask).last_hidden_state
        logits = self.out(self.drop(h[:, 0]))
        loss = F.cross_entropy(logits, labels) if labels is not None else None
        return SequenceClassifierOutput(loss=loss, logits=logits)


class RDropTrainer(Trainer):
    """Weighted cross-entropy plus the symmetric KL of two dropout passes."""

    def __init__(self, *args, class_weight, alpha=0.5, **kwargs):
        super().__init__(*args, **kwargs)
        self.class_weight, self.alpha = class_weight, alpha

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        labels = inputs.pop("labels")
        out = model(**inputs)
        loss = F.cross_entropy(out.logits, labels, weight=self.class_weight)
        if model.training:
            other = model(**inputs).logits
            p, q = F.log_softmax(out.logits, dim=-1), F.log_softmax(other, dim=-1)
            kl = F.kl_div(p, q.exp(), reduction="batchmean") + F.kl_div(q, p.exp(), reduction="batchmean")
            loss = loss + self.alpha * kl / 2
        return (loss, out) if return_outputs else loss

    def create_optimizer(self, model=None):
        decay = [p for p in self.model.parameters() if p.requires_grad and p.dim() > 1]
        plain = [p for p in self.model.parameters() if p.requires_grad and p.dim() <= 1]
        self.optimizer = torch.optim.AdamW(
            [{"params": decay, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}], lr=self.args.learning_rate)
        return self.optimizer


class BestScore(TrainerCallback):
    best = 0.0

    def on_evaluate(self, args, state, control, metrics=None, **kwargs):
        self.best = max(self.best, metrics["eval_macro"])


def compute_metrics(p):
    pred = np.argmax(p.predictions, axis=-1)
    per_class = [(pred[p.label_ids == c] == c).mean() for c in range(LABELS) if (p.label_ids == c).any()]
    return {"accuracy": float((pred == p.label_ids).mean()), "macro": float(np.mean(per_class))}


def main():
    set_seed(11)
    train, valid = make_rows(320, seed=0), make_rows(80, seed=1)
    config = BertConfig(vocab_size=VOCAB, hidden_size=32, num_hidden_layers=2, num_attention_heads=2,
                        intermediate_size=64, max_position_embeddings=32, num_labels=LABELS)
    model = BertForIntent(config)
    model.bert.embeddings.position_embeddings.requires_grad_(False)
    counts = Counter(r["labels"] for r in train)
    weight = torch.tensor([len(train) / (LABELS * counts[c]) for c in range(LABELS)])
    args = TrainingArguments("out", num_train_epochs=1, per_device_train_batch_size=16, learning_rate=1e-3,
                             eval_strategy="epoch", save_strategy="epoch", load_best_model_at_end=True,
                             metric_for_best_model="macro", greater_is_better=True, report_to=[],
                             remove_unused_columns=False, use_cpu=True, disable_tqdm=True)
    trainer = RDropTrainer(model=model, args=args, train_dataset=train, eval_dataset=valid, data_collator=PadCollator(),
                           compute_metrics=compute_metrics, callbacks=[BestScore()], class_weight=weight)
    trainer.train()
    print(trainer.evaluate())


if __name__ == "__main__":
    main()
