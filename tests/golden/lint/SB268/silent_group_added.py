import torch
from torch import nn


def main(model, loader, args):
    named = [(n, p) for n, p in model.named_parameters() if p.requires_grad]
    groups = [
        {"params": [p for n, p in named if not n.endswith("bias")], "weight_decay": args.weight_decay},
    ]
    optimizer = torch.optim.AdamW(groups, lr=1e-3)
    optimizer.add_param_group({"params": [p for n, p in named if n.endswith("bias")], "weight_decay": 0.0})
    return optimizer
