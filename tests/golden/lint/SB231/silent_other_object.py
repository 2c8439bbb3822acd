import torch
from torch import nn


def show(page, engine):
    page.eval
    engine.step
