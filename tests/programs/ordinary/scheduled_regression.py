"""AdamW with warm-up, a cosine schedule, groups without weight decay and clipped gradients."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1)
model = nn.Sequential(nn.Linear(8, 32), nn.LayerNorm(32), nn.GELU(), nn.Linear(32, 32), nn.GELU(), nn.Linear(32, 1))
decayed = [p for p in model.parameters() if p.dim() > 1]
others = [p for p in model.parameters() if p.dim() <= 1]
optimizer = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}], lr=5e-3)
steps = 30
schedule = torch.optim.lr_scheduler.LambdaLR(
    optimizer, lambda s: (s + 1) / 5 if s < 5 else 0.5 * (1 + math.cos(math.pi * (s - 5) / (steps - 5))))
fast = torch.compile(model, mode="default")
for step in range(steps):
    x = torch.rand(16, 8) * 2 - 1
    y = torch.sin(3 * x.sum(1, keepdim=True))
    loss = F.smooth_l1_loss(fast(x), y)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    optimizer.step()
    schedule.step()
    optimizer.zero_grad(set_to_none=True)
    if step % 5 == 4:
        print(step, loss.item(), norm.item(), schedule.get_last_lr()[0])
