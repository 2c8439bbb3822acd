import torch


def make(body, head):
    groups = [
        {"params": body.parameters(), "weight_decay": 0.01},
        {"params": head.parameters(), "weight_decay": 0.0, "learning_rate": 1e-3},  # expect: SB277
    ]
    return torch.optim.AdamW(groups, lr=1e-4)
