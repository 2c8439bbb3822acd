"""PyTorch 2.13.0: torch.compile: a compiled function of a NumPy array ends in an AssertionError under torch.inference_mode: "Guard failed on the same frame it was created. This is a bug".

The function runs without torch.compile, and compiled under no_grad. The guard expects a tensor made outside of inference mode of the array, which is made inside of it.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import numpy as np
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(a):
    return np.sum(a)


fast = torch.compile(model, backend="eager")
print("torch", torch.__version__)
with torch.inference_mode():
    print("without its optimiser", model(np.ones(3)))
    try:
        print("with it              ", fast(np.ones(3)))
    except AssertionError as e:
        print(f"raises {type(e).__name__}: {str(e)[:200]}\nthe bug is there")
        sys.exit(1)
print("the bug is not there")
sys.exit(0)
