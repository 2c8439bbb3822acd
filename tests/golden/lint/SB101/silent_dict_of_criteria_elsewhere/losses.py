from torch import nn
LOSSES = {"ce": nn.CrossEntropyLoss, "smooth": lambda: nn.CrossEntropyLoss(label_smoothing=0.1)}
