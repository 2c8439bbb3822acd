"""JAX 0.10.2: jax.scipy.linalg.expm of a float32 matrix with a norm between 4 and 8 is off by 7.6e-05, a thousand roundings.

The document names the method of scaling and squaring; the number of squarings is rounded down, so that the approximation is used outside its domain.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import sys

try:
    import jax.numpy as jnp
    import jax.scipy.linalg
    import numpy as np
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def flat(value):
    """Numbers of a result that may be several arrays."""
    parts = value if isinstance(value, (list, tuple)) else [value]
    return [np.asarray(p) for p in parts]


def main():
    print('jax.scipy.linalg.expm(jnp.asarray([[4, 1, 0, 0], [1, 3, 1, 0], [0, 1, 5, 1], [0, 0, 1, 2]], jnp.float32))')
    try:
        got = flat(jax.scipy.linalg.expm(jnp.asarray([[4, 1, 0, 0], [1, 3, 1, 0], [0, 1, 5, 1], [0, 0, 1, 2]], jnp.float32)))
    except Exception as e:  # noqa: BLE001
        print(f"raises {type(e).__name__}: {str(e)[:100]}\nthe bug is there")
        return 1
    expected = flat((lambda w, v: (v * np.exp(w)) @ v.T)(*np.linalg.eigh(np.float64([[4, 1, 0, 0], [1, 3, 1, 0], [0, 1, 5, 1], [0, 0, 1, 2]]))))
    print("got     ", *got)
    print("expected", *expected)
    same = len(got) == len(expected) and all(
        g.shape == e.shape and np.allclose(g, e, rtol=2e-6, atol=0 + 2e-6 * np.max(np.abs(e)), equal_nan=True) for g, e in zip(got, expected)
    )
    print("the bug is not there" if same else "the bug is there")
    return 0 if same else 1


sys.exit(main())
