import torch
from torch import nn

criterion = nn.BCEWithLogitsLoss()


def alarms(model, val, test, best_threshold):
    logits = model(val.x)
    threshold = best_threshold(logits, val.y)
    return model(test.x) >= threshold, logits >= threshold


def turned(model, val, best_threshold):
    logits = model(val.x)
    threshold = torch.logit(best_threshold(logits.sigmoid(), val.y))
    return logits >= threshold
