import numpy
import torch

q, r = numpy.linalg.qr(torch.eye(3).numpy())
