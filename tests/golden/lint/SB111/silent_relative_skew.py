from torch import nn


class Relative(nn.Module):
    def skew(self, scores):
        padded = nn.functional.pad(scores, (1, 0))
        batch, heads, rows, columns = padded.shape
        turned = padded.reshape(batch, heads, columns, rows)
        return turned[:, :, 1:, :]
