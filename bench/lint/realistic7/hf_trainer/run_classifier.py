import numpy as np
import torch
from torch import nn
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments, set_seed

from support_tickets import PAD, TicketDataset, build_vocab, collate, make_tickets


class WeightedTrainer(Trainer):
    """Cross entropy weighted against the class imbalance."""

    def __init__(self, *args, class_weights=None, **kwargs):
        super().__init__(*args, **kwargs)
        self.class_weights = class_weights

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        labels = inputs.pop("labels")
        outputs = model(**inputs)
        weight = self.class_weights.to(outputs.logits.device)
        loss = nn.functional.cross_entropy(outputs.logits, labels, weight=weight)
        return (loss, outputs) if return_outputs else loss


def compute_metrics(eval_pred):
    logits, labels = eval_pred
    preds = np.argmax(logits, axis=-1)
    recalls = [(preds[labels == c] == c).mean() for c in np.unique(labels)]
    return {"accuracy": (preds == labels).sum() / len(labels), "macro_recall": float(np.mean(recalls))}


def grouped_parameters(model, weight_decay):
    no_decay = ("bias", "LayerNorm.weight")
    decayed = [p for n, p in model.named_parameters() if not n.endswith(no_decay)]
    plain = [p for n, p in model.named_parameters() if n.endswith(no_decay)]
    return [{"params": decayed, "weight_decay": weight_decay}, {"params": plain, "weight_decay": 0.0}]


def main():
    set_seed(13)
    train_rows, val_rows, test_rows = make_tickets(320, 0), make_tickets(96, 1), make_tickets(96, 2)
    vocab = build_vocab(train_rows)
    labels = sorted({topic for _, topic in train_rows})
    label2id = {name: i for i, name in enumerate(labels)}
    train_ds = TicketDataset(train_rows, vocab, label2id)
    val_ds = TicketDataset(val_rows, vocab, label2id)
    test_ds = TicketDataset(test_rows, vocab, label2id)

    counts = np.bincount([label2id[t] for _, t in train_rows], minlength=len(labels))
    class_weights = torch.tensor(counts.sum() / (len(labels) * counts), dtype=torch.float32)

    config = BertConfig(
        vocab_size=len(vocab) + 3, hidden_size=32, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=64, max_position_embeddings=32, pad_token_id=PAD, num_labels=len(labels),
    )
    model = BertForSequenceClassification(config)
    optimizer = torch.optim.AdamW(grouped_parameters(model, 0.01), lr=5e-3)

    args = TrainingArguments(
        output_dir="out", num_train_epochs=1, per_device_train_batch_size=16, per_device_eval_batch_size=32,
        eval_strategy="epoch", save_strategy="epoch", load_best_model_at_end=True,
        metric_for_best_model="eval_loss", greater_is_better=False,
        report_to=[], disable_tqdm=True, logging_steps=10, seed=13,
    )
    trainer = WeightedTrainer(
        model=model, args=args, train_dataset=train_ds, eval_dataset=val_ds, data_collator=collate,
        compute_metrics=compute_metrics, optimizers=(optimizer, None), class_weights=class_weights,
    )
    trainer.train()
    print(trainer.evaluate(test_ds, metric_key_prefix="test"))


if __name__ == "__main__":
    main()
