"""Deep Q-learning on a corridor: walk right to the goal."""
import torch

from agent import Agent
from replay import ReplayBuffer

LENGTH = 8


class Corridor:
    def reset(self):
        self.position, self.t = 0, 0
        return self.observe()

    def observe(self):
        return torch.eye(LENGTH)[self.position]

    def step(self, action):
        self.t += 1
        self.position = max(0, min(LENGTH - 1, self.position + (1 if action == 1 else -1)))
        at_goal = self.position == LENGTH - 1
        return self.observe(), 1.0 if at_goal else -0.01, at_goal or self.t >= 40


def main(episodes=8, batch_size=32):
    torch.manual_seed(0)
    env, agent, buffer = Corridor(), Agent(LENGTH, 2), ReplayBuffer(2000)
    epsilon = 1.0
    for episode in range(episodes):
        state, done, score = env.reset(), False, 0.0
        while not done:
            action = agent.act(state, epsilon)
            next_state, reward, done = env.step(action)
            buffer.push(state, action, reward, next_state, done)
            state = next_state
            score += reward
            if len(buffer) >= batch_size:
                agent.learn(*buffer.sample(batch_size))
        epsilon = max(0.05, epsilon * 0.9)
        print(f"episode {episode}: {score:.2f}")


if __name__ == "__main__":
    main()
