import torch


class Agent:
    def learn(self, s):
        actor_loss = -self.critic(s, self.actor(s)).mean()
        actor_loss.backward()
        self.actor_opt.step()

    def later(self, s):
        actor_loss = self.critic(s, self.actor(s)).mean()
        actor_loss = -actor_loss
        actor_loss.backward()
        self.actor_opt.step()

    def at_the_end(self, s):
        actor_loss = self.critic(s, self.actor(s)).mean()
        (-actor_loss).backward()
        self.actor_opt.step()
