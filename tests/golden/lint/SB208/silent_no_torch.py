"""Weights as torch has them, over numpy."""

import numpy as np

from .jtensors import JTensors


def weights(n):
    made = JTensors(np.zeros(n))
    made.require_grads = True
    return made
