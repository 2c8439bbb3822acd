import numpy as np
import torch
import torch.nn as nn
from torch.distributions import Normal


def layer_init(layer, std=1.4142, bias=0.0):
    nn.init.orthogonal_(layer.weight, std)
    nn.init.constant_(layer.bias, bias)
    return layer


class Pendulum:
    def reset(self):
        self.x, self.v, self.t = np.random.uniform(-1, 1), 0.0, 0
        return self.obs()

    def obs(self):
        return np.array([self.x, self.v], dtype=np.float32)

    def step(self, force):
        self.v = 0.9 * self.v + 0.1 * float(force)
        self.x += self.v
        self.t += 1
        return self.obs(), -abs(self.x), self.t >= 32


class ActorCritic(nn.Module):
    def __init__(self, n_obs=2, n_act=1):
        super().__init__()
        self.critic = nn.Sequential(layer_init(nn.Linear(n_obs, 32)), nn.Tanh(), layer_init(nn.Linear(32, 1), std=1.0))
        self.actor_mean = nn.Sequential(layer_init(nn.Linear(n_obs, 32)), nn.Tanh(), layer_init(nn.Linear(32, n_act), std=0.01))
        self.actor_logstd = nn.Parameter(torch.zeros(1, n_act))

    def get_value(self, x):
        return self.critic(x).squeeze(-1)

    def get_action_and_value(self, x, action=None):
        dist = Normal(self.actor_mean(x), self.actor_logstd.exp())
        if action is None:
            action = dist.sample()
        return action, dist.log_prob(action).sum(-1), dist.entropy().sum(-1), self.get_value(x)


def collect(agent, env, n, gamma=0.95, lam=0.95):
    obs, actions, logprobs, rewards, dones, values = [], [], [], [], [], []
    state = env.reset()
    for _ in range(n):
        s = torch.from_numpy(state)[None]
        with torch.no_grad():
            action, logprob, _, value = agent.get_action_and_value(s)
        state, reward, done = env.step(action.item())
        for store, item in zip((obs, actions, logprobs, values), (s, action, logprob, value)):
            store.append(item)
        rewards.append(reward)
        dones.append(done)
        if done:
            state = env.reset()
    with torch.no_grad():
        last = agent.get_value(torch.from_numpy(state)[None])
    values = torch.cat(values)
    advantages = torch.zeros(n)
    gae = 0.0
    for t in reversed(range(n)):
        following = values[t + 1] if t + 1 < n else last[0]
        alive = 1.0 - float(dones[t])
        delta = rewards[t] + gamma * following * alive - values[t]
        gae = delta + gamma * lam * alive * gae
        advantages[t] = gae
    return torch.cat(obs), torch.cat(actions), torch.cat(logprobs), advantages, advantages + values


def main():
    np.random.seed(0)
    torch.manual_seed(0)
    agent, env = ActorCritic(), Pendulum()
    optimizer = torch.optim.Adam(agent.parameters(), lr=3e-4, eps=1e-5)
    total_updates = 2
    for update in range(total_updates):
        optimizer.param_groups[0]["lr"] = 3e-4 * (1 - update / total_updates)
        b_obs, b_actions, b_logprobs, b_advantages, b_returns = collect(agent, env, 128)
        for _ in range(3):
            for idx in torch.randperm(128).split(32):
                _, newlogprob, entropy, newvalue = agent.get_action_and_value(b_obs[idx], b_actions[idx])
                ratio = (newlogprob - b_logprobs[idx]).exp()
                adv = b_advantages[idx]
                adv = (adv - adv.mean()) / (adv.std() + 1e-8)
                pg_loss = torch.max(-adv * ratio, -adv * ratio.clamp(0.8, 1.2)).mean()
                v_loss = 0.5 * ((newvalue - b_returns[idx]) ** 2).mean()
                loss = pg_loss + 0.5 * v_loss - 0.01 * entropy.mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimizer.step()
        print(update, loss.item(), b_returns.mean().item())
    torch.save(agent.state_dict(), "ppo.pt")


if __name__ == "__main__":
    main()
