import numpy as np
import torch

fast = torch.compile(lambda a: np.sum(a), backend="eager")
with torch.inference_mode():
    print(fast(np.ones(3)))
