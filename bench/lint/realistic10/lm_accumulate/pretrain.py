import math

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from corpus import PAD, VOCAB, collate, sentences
from model import TinyGPT

ACCUM = 4
device = "cuda" if torch.cuda.is_available() else "cpu"
criterion = nn.CrossEntropyLoss(ignore_index=PAD)


def lm_loss(model, inputs, targets):
    with torch.autocast(device, dtype=torch.bfloat16):
        logits = model(inputs)
    return criterion(logits.float().flatten(0, 1), targets.flatten())


def evaluate(model, loader):
    model.eval()
    nats, tokens = 0.0, 0
    with torch.inference_mode():
        for inputs, targets in loader:
            n = (targets != PAD).sum().item()
            nats += lm_loss(model, inputs.to(device), targets.to(device)).item() * n
            tokens += n
    model.train()
    return math.exp(nats / tokens)


def update(opt, scaler, sched, model):
    scaler.unscale_(opt)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
    opt.zero_grad(set_to_none=True)
    sched.step()


def run(epochs=2):
    torch.manual_seed(2)
    train = DataLoader(sentences(800, seed=0), 16, shuffle=True, collate_fn=collate)
    held = DataLoader(sentences(120, seed=1), 64, collate_fn=collate)
    model = TinyGPT(VOCAB).to(device)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.95))
    updates = epochs * math.ceil(len(train) / ACCUM)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda k: min(1.0, (k + 1) / 5) * (1 - k / (updates + 1)))
    scaler = torch.amp.GradScaler(device)

    for epoch in range(epochs):
        shown = 0.0
        for i, (inputs, targets) in enumerate(train):
            first = i - i % ACCUM
            group = min(ACCUM, len(train) - first)
            loss = lm_loss(model, inputs.to(device), targets.to(device))
            scaler.scale(loss / group).backward()
            shown += loss.item()
            if i + 1 == first + group:
                update(opt, scaler, sched, model)
        print(f"epoch {epoch} loss {shown / len(train):.3f} held-out perplexity {evaluate(model, held):.3f} lr {sched.get_last_lr()[0]:.5f}")


if __name__ == "__main__":
    run()
