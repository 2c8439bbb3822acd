"""JAX 0.10.2: jax.numpy.gcd does not end where an argument is the least number of its integer type.

numpy.gcd gives 2 for -128 and 6. The absolute value of -128 is -128 in int8, and the loop exchanges the same two numbers for ever.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import os
import subprocess
import sys
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")
PROGRAM = 'import jax.numpy as jnp; print(jnp.gcd(jnp.array({}, "int8"), jnp.array(6, "int8")))'


def gcd(x, seconds):
    """What a process of its own prints, since nothing ends the loop; None: no answer in time."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM.format(x)], capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    return done.stdout.strip() if done.returncode == 0 else ""


def main():
    begun = time.monotonic()
    if gcd(-126, 100) != "6":
        print("cannot be checked here: jax.numpy.gcd of -126 and 6 gave no 6")
        return 2
    got = gcd(-128, 5 + 2 * (time.monotonic() - begun))
    print("gcd of -128 and 6: got", got or "no answer in twice the time", "expected 2")
    print("the bug is not there" if got == "2" else "the bug is there")
    return 0 if got == "2" else 1


sys.exit(main())
