import torch


def usage(model, x):
    probs = model(x).softmax(dim=0)  # expect: SB109
    share = probs.mean(dim=0)
    return (share * share.clamp_min(1e-9).log()).sum()


def balance(logits):
    return torch.softmax(logits, 0).mean(0).std()  # expect: SB109
