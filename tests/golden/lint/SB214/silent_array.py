import numpy as np
import torch


def keep_likely(logits, share):
    device = logits.device
    logits = logits.detach().cpu().type(torch.float32).numpy()
    order = np.argsort(logits)[::-1]
    ordered = logits[order]
    likely = np.cumsum(torch.nn.functional.softmax(ordered))
    logits[order[likely > share]] = -np.inf
    return torch.from_numpy(logits).to(device)
