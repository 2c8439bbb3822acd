import random
from agent import Agent


def main(env, memory):
    agent = Agent(4)
    losses = []
    for episode in range(100):
        state = env.reset()
        done = False
        while not done:
            action = random.randrange(2)
            state, reward, done, _ = env.step(action)
            if len(memory) > 64:
                losses.append(agent.optimize(memory.sample(64)))


main(None, None)
