import torch
import torch.nn.functional as F
from torch.distributions import Categorical

from env import Walk
from nets import PolicyValue

GAMMA = 0.97


class A2C:
    def __init__(self, n_obs=2, n_actions=2, lr=3e-3, max_norm=0.5):
        self.net = PolicyValue(n_obs, n_actions)
        self.opt = torch.optim.RMSprop(self.net.parameters(), lr=lr)
        self.max_norm = max_norm

    def rollout(self, env):
        obs_list, actions, rewards = [], [], []
        obs, done = env.reset(), False
        while not done:
            action, _, _ = self.net.act(obs)
            obs_list.append(obs)
            actions.append(action)
            obs, reward, done = env.step(action.item())
            rewards.append(reward)
        return torch.stack(obs_list), torch.stack(actions), rewards

    def returns(self, rewards):
        out, g = [], 0.0
        for r in reversed(rewards):
            g = r + GAMMA * g
            out.insert(0, g)
        return torch.tensor(out)

    def update(self, obs, actions, rewards):
        targets = self.returns(rewards)
        logits, values = self.net(obs)
        dist = Categorical(logits=logits)
        advantage = targets - values.detach()
        policy_loss = -(dist.log_prob(actions) * advantage).mean()
        value_loss = F.mse_loss(values, targets)
        loss = policy_loss + 0.5 * value_loss - 0.01 * dist.entropy().mean()
        self.opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.max_norm)
        self.opt.step()
        return loss.item()


def run(episodes=4):
    torch.manual_seed(1)
    env, agent = Walk(), A2C()
    history = []
    for episode in range(episodes):
        obs, actions, rewards = agent.rollout(env)
        loss = agent.update(obs, actions, rewards)
        history.append(sum(rewards))
        print(episode, round(loss, 4), round(history[-1], 3))
    torch.save({"net": agent.net.state_dict(), "opt": agent.opt.state_dict()}, "a2c.pt")


if __name__ == "__main__":
    run()
