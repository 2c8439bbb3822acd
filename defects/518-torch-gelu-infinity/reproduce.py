"""PyTorch 2.13.0: torch.nn.functional.gelu of float32 infinity is NaN where oneDNN computes it (four elements and more), and infinity elsewhere.

The document: x times the distribution function of the normal distribution, which is 1 there.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

if "avx512bw" not in open("/proc/cpuinfo", encoding="utf-8").read():
    print("cannot be checked here: the processor lacks avx512bw")
    sys.exit(2)

try:
    import numpy as np
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def flat(value):
    """Numbers of a result that may be several arrays."""
    parts = value if isinstance(value, (list, tuple)) else [value]
    return [np.asarray(p) for p in parts]


def main():
    print('torch.nn.functional.gelu(torch.full((4,), float("inf")))')
    try:
        got = flat(torch.nn.functional.gelu(torch.full((4,), float("inf"))))
    except Exception as e:  # noqa: BLE001
        print(f"raises {type(e).__name__}: {str(e)[:100]}\nthe bug is there")
        return 1
    expected = flat(np.full((4,), np.inf))
    print("got     ", *got)
    print("expected", *expected)
    same = len(got) == len(expected) and all(
        g.shape == e.shape and np.allclose(g, e, rtol=1e-4, atol=1e-30, equal_nan=True) for g, e in zip(got, expected)
    )
    print("the bug is not there" if same else "the bug is there")
    return 0 if same else 1


sys.exit(main())
