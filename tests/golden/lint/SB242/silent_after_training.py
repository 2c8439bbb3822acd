import torch
from torch import nn


def fit(model, train):
    train(model)
    best_state = model.state_dict()
    model.load_state_dict(best_state)
