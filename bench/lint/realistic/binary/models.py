import torch.nn as nn


class RiskModel(nn.Module):
    """Predicts the logit of default from applicant features."""

    def __init__(self, n_features, hidden=24):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_features, hidden), nn.ReLU(), nn.Dropout(0.2), nn.Linear(hidden, hidden), nn.ReLU()
        )
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.head(self.body(x))
