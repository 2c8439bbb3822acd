import torch.nn.functional as F


class Loss:
    def pick_indices(self, indices):
        return [i for i, _ in indices]

    def labels(self, scores, target, indices):
        return F.cross_entropy(scores, target) + len(self.pick_indices(indices))
