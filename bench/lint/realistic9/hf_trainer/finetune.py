import numpy as np
import torch
from transformers import Trainer, TrainingArguments, set_seed

from corpus import TicketCollator, TicketDataset
from modeling import TicketClassifier

VOCAB, TOPICS = 60, 5


def compute_metrics(eval_pred):
    logits, labels = eval_pred
    if isinstance(labels, tuple):
        labels = labels[0]
    preds = np.argmax(logits, axis=-1)
    recalls = [(preds[labels == c] == c).mean() for c in range(TOPICS) if (labels == c).any()]
    return {"accuracy": float((preds == labels).mean()), "macro_recall": float(np.mean(recalls))}


def parameter_groups(model, weight_decay, head_lr):
    decay, no_decay, head = [], [], []
    for name, param in model.named_parameters():
        if not param.requires_grad:
            continue
        if name.startswith(("topic", "urgency")):
            head.append(param)
        elif name.endswith("bias") or "LayerNorm" in name:
            no_decay.append(param)
        else:
            decay.append(param)
    return [
        {"params": decay, "weight_decay": weight_decay},
        {"params": no_decay, "weight_decay": 0.0},
        {"params": head, "weight_decay": weight_decay, "lr": head_lr},
    ]


def main():
    set_seed(13)
    train_ds = TicketDataset(240, VOCAB, TOPICS, seed=1)
    eval_ds = TicketDataset(64, VOCAB, TOPICS, seed=2)
    model = TicketClassifier(VOCAB, TOPICS)
    optimizer = torch.optim.AdamW(parameter_groups(model, 0.01, head_lr=1e-3), lr=1e-4)
    args = TrainingArguments(
        output_dir="out",
        num_train_epochs=1,
        per_device_train_batch_size=16,
        per_device_eval_batch_size=32,
        gradient_accumulation_steps=2,
        eval_strategy="epoch",
        save_strategy="epoch",
        load_best_model_at_end=True,
        metric_for_best_model="macro_recall",
        greater_is_better=True,
        remove_unused_columns=False,
        label_names=["labels", "urgent"],
        disable_tqdm=True,
        report_to=[],
    )
    trainer = Trainer(
        model=model,
        args=args,
        train_dataset=train_ds,
        eval_dataset=eval_ds,
        data_collator=TicketCollator(),
        compute_metrics=compute_metrics,
        optimizers=(optimizer, None),
    )
    trainer.train()
    print(trainer.evaluate())


if __name__ == "__main__":
    main()
