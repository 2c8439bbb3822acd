import torch
from torch import nn


def test_what_is_written(folder):
    model = nn.Linear(4, 2)
    torch.save(model.state_dict(), folder / "full.bin")
    saved = torch.load(folder / "full.bin")
    assert "weight" in saved
    assert len(saved) == 2
