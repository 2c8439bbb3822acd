"""PyTorch 2.13.0: TorchScript understands {} of str.format alone: positions and format specifications stay in the text, "{{}}" takes an
argument.

Python: "{0}" stands for the first argument. TorchScript neither puts it in nor refuses it.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(x):
    return x if "{0} {1}".format("a", "b") == "a b" else x + 1


inputs = torch.tensor([1.0])
wanted = torch.tensor([1.0])
plain = model(inputs.clone())
if plain.shape != wanted.shape or not torch.allclose(plain, wanted.to(plain.dtype)):
    print("without its optimiser it gives", plain)
    sys.exit(2)
print("torch", torch.__version__)
print("without its optimiser", plain)
try:
    got = torch.jit.script(model)(inputs.clone())
except Exception as e:
    print(f"raises {type(e).__name__}: {str(e)[:200]}\nthe bug is there")
    sys.exit(1)
print("with it              ", got)
same = got.dtype == plain.dtype and got.shape == plain.shape and torch.allclose(got, plain)
print("the bug is not there" if same else "the bug is there")
sys.exit(0 if same else 1)
