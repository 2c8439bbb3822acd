#!/usr/bin/env python
"""Token classification with accelerate (no Trainer)."""
import argparse
import logging
import math

import torch
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch import nn
from torch.utils.data import DataLoader, Dataset
from transformers import BertConfig, BertForTokenClassification, get_scheduler

logger = logging.getLogger(__name__)
LABELS = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]
PAD, CLS, SEP, IGNORE = 0, 1, 2, -100


def parse_args(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--num_train_epochs", type=int, default=1)
    parser.add_argument("--per_device_batch_size", type=int, default=8)
    parser.add_argument("--gradient_accumulation_steps", type=int, default=2)
    parser.add_argument("--learning_rate", type=float, default=5e-4)
    parser.add_argument("--weight_decay", type=float, default=0.01)
    parser.add_argument("--warmup_ratio", type=float, default=0.1)
    parser.add_argument("--max_grad_norm", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=42)
    return parser.parse_args(argv)


class Sentences(Dataset):
    def __init__(self, num, seed):
        g = torch.Generator().manual_seed(seed)
        self.examples = []
        for _ in range(num):
            n = int(torch.randint(5, 15, (1,), generator=g))
            words = torch.randint(20, 80, (n,), generator=g).tolist()
            tags = [0] * n
            at = int(torch.randint(0, n - 2, (1,), generator=g))
            kind = int(torch.randint(0, 2, (1,), generator=g))
            words[at], words[at + 1] = 10 + kind, 12 + kind
            tags[at], tags[at + 1] = 1 + 2 * kind, 2 + 2 * kind
            self.examples.append({"words": words, "tags": tags})

    def __len__(self):
        return len(self.examples)

    def __getitem__(self, i):
        words, tags = self.examples[i]["words"], self.examples[i]["tags"]
        ids, labels = [CLS], [IGNORE]
        for word, tag in zip(words, tags):
            # every long word is cut into two pieces; only the first one has a label
            pieces = [word, word + 40] if word >= 60 else [word]
            ids += pieces
            labels += [tag] + [IGNORE] * (len(pieces) - 1)
        return {"input_ids": ids + [SEP], "labels": labels + [IGNORE]}


def collate(features):
    longest = max(len(f["input_ids"]) for f in features)
    batch = {"input_ids": [], "attention_mask": [], "labels": []}
    for f in features:
        gap = longest - len(f["input_ids"])
        batch["input_ids"].append(f["input_ids"] + [PAD] * gap)
        batch["attention_mask"].append([1] * len(f["input_ids"]) + [0] * gap)
        batch["labels"].append(f["labels"] + [IGNORE] * gap)
    return {k: torch.tensor(v) for k, v in batch.items()}


def main():
    args = parse_args()
    accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps, cpu=True)
    logging.basicConfig(level=logging.INFO)
    set_seed(args.seed)

    config = BertConfig(vocab_size=120, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
                        max_position_embeddings=40, num_labels=len(LABELS))
    model = BertForTokenClassification(config)
    train_dataloader = DataLoader(Sentences(120, seed=0), shuffle=True, collate_fn=collate, batch_size=args.per_device_batch_size)
    eval_dataloader = DataLoader(Sentences(40, seed=1), collate_fn=collate, batch_size=args.per_device_batch_size)

    no_decay = ["bias", "LayerNorm.weight"]
    grouped = [
        {"params": [p for n, p in model.named_parameters() if not any(nd in n for nd in no_decay)], "weight_decay": args.weight_decay},
        {"params": [p for n, p in model.named_parameters() if any(nd in n for nd in no_decay)], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(grouped, lr=args.learning_rate)
    model, optimizer, train_dataloader, eval_dataloader = accelerator.prepare(model, optimizer, train_dataloader, eval_dataloader)
    updates_per_epoch = math.ceil(len(train_dataloader) / args.gradient_accumulation_steps)
    max_train_steps = args.num_train_epochs * updates_per_epoch
    lr_scheduler = get_scheduler("linear", optimizer, num_warmup_steps=int(args.warmup_ratio * max_train_steps),
                                 num_training_steps=max_train_steps)

    completed_steps = 0
    for epoch in range(args.num_train_epochs):
        model.train()
        total_loss = 0.0
        for step, batch in enumerate(train_dataloader):
            with accelerator.accumulate(model):
                loss = model(**batch).loss
                total_loss += loss.detach().float()
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), args.max_grad_norm)
                optimizer.step()
                if accelerator.sync_gradients:
                    lr_scheduler.step()
                optimizer.zero_grad()
            if accelerator.sync_gradients:
                completed_steps += 1
            if completed_steps >= max_train_steps:
                break

        model.eval()
        correct, tokens, losses = 0, 0, []
        for batch in eval_dataloader:
            with torch.no_grad():
                outputs = model(**batch)
            predictions, references = accelerator.gather_for_metrics((outputs.logits.argmax(dim=-1).view(-1), batch["labels"].view(-1)))
            losses.append(accelerator.gather_for_metrics(outputs.loss.repeat(len(batch["labels"]))))
            known = references != IGNORE
            correct += (predictions[known] == references[known]).sum().item()
            tokens += known.sum().item()
        print(f"epoch {epoch}: train {total_loss.item() / len(train_dataloader):.4f} eval {torch.cat(losses).mean():.4f} "
              f"token accuracy {correct / tokens:.4f} steps {completed_steps}")


if __name__ == "__main__":
    main()
