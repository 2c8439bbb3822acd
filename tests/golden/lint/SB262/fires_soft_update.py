import torch


class Agent:
    def soft_update(self, net, target, tau=0.005):
        for target_param, param in zip(target.parameters(), net.parameters()):
            target_param.data.copy_(tau * target_param.data + (1 - tau) * param.data)  # expect: SB262
