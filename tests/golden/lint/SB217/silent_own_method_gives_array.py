import numpy as np
import torch


class Mixer:
    def __init__(self, alpha):
        self.alpha = alpha

    def draw(self, count):
        share = np.ones(count, dtype=np.float32)
        if self.alpha > 0.0:
            share = np.random.beta(self.alpha, self.alpha, size=count)
        return share, np.zeros(count, dtype=bool)

    def mix(self, images, labels, is_half):
        share, swap = self.draw(len(images))
        if is_half:
            share = torch.cat((torch.from_numpy(share), torch.ones(len(images))))
        return images * torch.tensor(share).unsqueeze(1), labels, swap
