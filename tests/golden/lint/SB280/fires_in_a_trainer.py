import torch
import torch.nn.functional as F


class Agent:
    def update(self, batch):
        dist, values = self.net(batch.obs)
        ratio = torch.exp(dist.log_prob(batch.actions) - batch.log_probs)
        policy_loss = -torch.min(ratio * batch.adv, ratio.clamp(0.8, 1.2) * batch.adv).mean()
        value_loss = F.mse_loss(values, batch.returns)
        entropy = dist.entropy()
        loss = policy_loss + self.value_coef * value_loss + self.entropy_coef * entropy.mean()  # expect: SB280
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
