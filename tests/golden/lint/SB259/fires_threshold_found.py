import torch
from torch import nn

criterion = nn.BCEWithLogitsLoss()


def alarms(model, val, test, best_threshold):
    logits = model(val.x)
    threshold = best_threshold(logits.sigmoid(), val.y)
    test_logits = model(test.x)
    return test_logits >= threshold  # expect: SB259


def half(model, x):
    threshold = 0.5
    logits = model(x)
    return logits > threshold  # expect: SB259
