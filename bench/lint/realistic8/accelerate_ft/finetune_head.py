#!/usr/bin/env python
"""Fine-tunes a pretrained sentence encoder on a small paraphrase-like task with accelerate."""
import argparse
import logging
import math

import torch
import torch.nn as nn
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, Dataset
from tqdm.auto import tqdm

logger = logging.getLogger(__name__)


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--num_train_epochs", type=int, default=1)
    parser.add_argument("--per_device_batch_size", type=int, default=16)
    parser.add_argument("--gradient_accumulation_steps", type=int, default=2)
    parser.add_argument("--learning_rate", type=float, default=2e-3)
    parser.add_argument("--weight_decay", type=float, default=0.01)
    parser.add_argument("--max_grad_norm", type=float, default=1.0)
    parser.add_argument("--warmup_ratio", type=float, default=0.1)
    parser.add_argument("--encoder", default="encoder.pt")
    parser.add_argument("--seed", type=int, default=8)
    return parser.parse_args()


class Pairs(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.a = torch.randint(1, 50, (n, 10), generator=g)
        self.b = torch.randint(1, 50, (n, 10), generator=g)
        self.label = torch.randint(0, 2, (n,), generator=g)
        self.b[self.label == 1] = self.a[self.label == 1].flip(1)

    def __len__(self):
        return len(self.label)

    def __getitem__(self, i):
        return {"a": self.a[i], "b": self.b[i], "label": self.label[i]}


class Encoder(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.embed = nn.Embedding(50, dim)
        self.mix = nn.Sequential(nn.Linear(dim, dim), nn.LayerNorm(dim), nn.GELU())

    def forward(self, ids):
        return self.mix(self.embed(ids)).mean(1)


class PairClassifier(nn.Module):
    def __init__(self, encoder_path, dim=32):
        super().__init__()
        self.encoder = Encoder(dim)
        self.head = nn.Sequential(nn.Linear(3 * dim, dim), nn.ReLU(), nn.Dropout(0.1), nn.Linear(dim, 2))
        self.head.apply(self._init_weights)
        self.encoder.load_state_dict(torch.load(encoder_path, weights_only=True))

    @staticmethod
    def _init_weights(module):
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            nn.init.zeros_(module.bias)

    def forward(self, a, b, label):
        u, v = self.encoder(a), self.encoder(b)
        logits = self.head(torch.cat([u, v, (u - v).abs()], dim=-1))
        return nn.functional.cross_entropy(logits, label), logits


def main():
    args = parse_args()
    accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps, cpu=True)
    set_seed(args.seed)
    torch.save(Encoder().state_dict(), args.encoder)  # stands for a download
    model = PairClassifier(args.encoder)
    model.encoder.embed.weight.requires_grad_(False)

    named = [(n, p) for n, p in model.named_parameters() if p.requires_grad]
    groups = [
        {"params": [p for n, p in named if not n.endswith("bias")], "weight_decay": args.weight_decay},
        {"params": [p for n, p in named if n.endswith("bias")], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=args.learning_rate)
    train_dl = DataLoader(Pairs(512, seed=0), batch_size=args.per_device_batch_size, shuffle=True)
    eval_dl = DataLoader(Pairs(150, seed=1), batch_size=args.per_device_batch_size)
    steps = args.num_train_epochs * math.ceil(len(train_dl) / args.gradient_accumulation_steps)
    warmup = max(1, int(args.warmup_ratio * steps))
    scheduler = LambdaLR(optimizer, lambda s: min((s + 1) / warmup, max(0.0, (steps - s) / max(1, steps - warmup))))
    model, optimizer, train_dl, eval_dl, scheduler = accelerator.prepare(model, optimizer, train_dl, eval_dl, scheduler)

    for epoch in range(args.num_train_epochs):
        model.train()
        total_loss = 0.0
        for batch in tqdm(train_dl, disable=not accelerator.is_local_main_process):
            with accelerator.accumulate(model):
                loss, _ = model(**batch)
                total_loss += loss.detach().float()
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), args.max_grad_norm)
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()

        model.eval()
        right = seen = 0
        for batch in eval_dl:
            with torch.no_grad():
                _, logits = model(**batch)
            pred, label = accelerator.gather_for_metrics((logits.argmax(dim=-1), batch["label"]))
            right += (pred == label).sum().item()
            seen += len(label)
        accelerator.print(f"epoch {epoch}: loss {total_loss.item() / len(train_dl):.4f} accuracy {right / seen:.3f}")
    accelerator.save(accelerator.unwrap_model(model).state_dict(), "finetuned.pt")


if __name__ == "__main__":
    main()
