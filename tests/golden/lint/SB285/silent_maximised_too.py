import torch


def make(agent):
    return torch.optim.Adam(agent.actor.parameters(), lr=1e-3, maximize=True)


def learn(agent, s, opt):
    actor_loss = agent.critic(s, agent.actor(s)).mean()
    opt.zero_grad()
    actor_loss.backward()
    opt.step()
