import torch
from loop import fit
from net import Tagger
from torch.utils.data import DataLoader


def main(data, held):
    tagger = Tagger()
    optimizer = torch.optim.Adam(tagger.parameters())
    fit(tagger, optimizer, DataLoader(data, 8, shuffle=True), DataLoader(held, 8), 5)
