import torch
from torch import nn


class Evaluating:
    def __init__(self, model):
        self.model = model

    def __enter__(self):
        self.model.eval()  # expect: SB025
        return self.model

    def __exit__(self, *exc):
        return False
