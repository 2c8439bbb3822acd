import torch


class Agent:
    def update(self, batch):
        self.optimizer.zero_grad()
        self.loss(batch).backward()
        self.optimizer.step()
        self.updates += 1
        if self.updates % 100 == 0:
            self.policy_net.load_state_dict(self.target_net.state_dict())  # expect: SB263
