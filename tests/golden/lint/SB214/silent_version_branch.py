from distutils.version import LooseVersion

import torch
from torch import nn
from torch.nn import functional as F

TORCH_VERSION = tuple(int(part) for part in torch.__version__.split(".")[:2])


def log_probabilities(scores):
    if LooseVersion(torch.__version__) < LooseVersion("0.3"):
        result = F.log_softmax(scores)
    else:
        result = F.log_softmax(scores, dim=1)
    return result


def make_layer():
    return nn.Softmax(dim=1) if TORCH_VERSION >= (0, 3) else nn.Softmax()
