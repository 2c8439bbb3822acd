import torch


def make(body, head):
    groups = [
        {"params": body.parameters(), "weight_decay": 0.01},
        {"params": head.parameters(), "weight_decay": 0.0, "lr": 1e-3, "lr_scale": 0.5},
    ]
    return torch.optim.AdamW(groups, lr=1e-4)


def scale(optimizer, rate):
    for group in optimizer.param_groups:
        group["lr"] = rate * group.get("lr_scale", 1.0)
