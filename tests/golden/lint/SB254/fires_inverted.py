import torch
import torch.nn.functional as F


class Agent:
    def update(self, batch):
        obs, actions, rewards, next_obs, terminal = batch
        q = self.net(obs).gather(1, actions.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            next_q = self.target_net(next_obs).max(1)[0]
        target = rewards + self.gamma * terminal * next_q  # expect: SB254
        loss = F.smooth_l1_loss(q, target)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
