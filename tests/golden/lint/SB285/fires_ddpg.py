import torch
import torch.nn.functional as F


class Agent:
    def learn(self, batch):
        s, a, r, s2, d = batch
        with torch.no_grad():
            y = r + self.gamma * (1 - d) * self.critic_target(s2, self.actor_target(s2))
        critic_loss = F.mse_loss(self.critic(s, a), y)
        self.critic_opt.zero_grad()
        critic_loss.backward()
        self.critic_opt.step()

        actor_loss = self.critic(s, self.actor(s)).mean()  # expect: SB285
        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()
