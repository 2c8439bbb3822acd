"""JAX 0.10.2: jax.numpy.sinh of a complex number with a small real part loses that part: it is off by 1.5 % at 1e-06 and 0 below 3e-08.

sinh(x + iy) = sinh x cos y + i cosh x sin y, and sinh x is x there; it is computed as half of exp(x) - exp(-x).
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import jax.numpy as jnp
    import numpy as np
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def main():
    print("jnp.sinh(jnp.asarray([1e-6 + 0.5j, 1e-10 + 0.5j], jnp.complex64))")
    try:
        got = np.asarray(jnp.sinh(jnp.asarray([1e-6 + 0.5j, 1e-10 + 0.5j], jnp.complex64)))
    except Exception as e:  # noqa: BLE001
        print(f"raises {type(e).__name__}: {str(e)[:100]}\nthe bug is there")
        return 1
    expected = np.sinh(np.array([1e-6 + 0.5j, 1e-10 + 0.5j]))
    print("got     ", got)
    print("expected", expected)
    same = np.allclose(got.real, expected.real, rtol=1e-3, atol=0) and np.allclose(
        got.imag, expected.imag, rtol=1e-3, atol=0
    )
    print("the bug is not there" if same else "the bug is there")
    return 0 if same else 1


sys.exit(main())
