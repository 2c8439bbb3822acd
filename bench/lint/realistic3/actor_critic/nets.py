import torch
from torch import nn
from torch.distributions import Categorical


class PolicyValue(nn.Module):
    """Shared trunk, one head for the policy's logits and one for the value."""

    def __init__(self, n_obs, n_actions, hidden=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_obs, hidden), nn.Tanh())
        self.policy_head = nn.Linear(hidden, n_actions)
        self.value_head = nn.Linear(hidden, 1)

    def forward(self, obs):
        h = self.trunk(obs)
        return self.policy_head(h), self.value_head(h).squeeze(-1)

    def act(self, obs):
        with torch.no_grad():
            logits, value = self(obs)
        dist = Categorical(logits=logits)
        action = dist.sample()
        return action, dist.log_prob(action), value
