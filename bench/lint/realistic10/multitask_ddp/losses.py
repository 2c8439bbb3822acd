import torch
import torch.nn.functional as F

from scenes import N_SEG, VOID


def dice_loss(logits, target):
    valid = (target != VOID).unsqueeze(1)
    probs = logits.softmax(dim=1) * valid
    onehot = F.one_hot(target.clamp(max=N_SEG - 1), N_SEG).permute(0, 3, 1, 2) * valid
    both = (probs * onehot).sum(dim=(2, 3))
    total = probs.sum(dim=(2, 3)) + onehot.sum(dim=(2, 3))
    return 1 - ((2 * both + 1) / (total + 1)).mean()


def depth_loss(pred, depth):
    measured = depth > 0
    return F.l1_loss(pred[measured], depth[measured])


def task_losses(out, batch, pos_weight):
    seg = F.cross_entropy(out["seg"], batch["seg"], ignore_index=VOID) + dice_loss(out["seg"], batch["seg"])
    depth = depth_loss(out["depth"], batch["depth"])
    tags = F.binary_cross_entropy_with_logits(out["tags"], batch["tags"], pos_weight=pos_weight)
    return {"seg": seg, "depth": depth, "tags": tags}


def weigh(losses, log_vars):
    total = 0.0
    for loss, s in zip(losses.values(), log_vars):
        total = total + torch.exp(-s) * loss + s
    return total
