"""TensorFlow 2.21.0: tf.signal.irfft of a spectrum with one bin ends the process: "no zero-sized FFTs".

The document: fft_length is inferred as 2 (n - 1), here 0; nothing says that the process may end instead of an error.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import importlib.util
import subprocess
import sys

CODE = "import tensorflow as tf; tf.signal.irfft(tf.zeros([4, 1], tf.complex64))"


def main():
    if importlib.util.find_spec("tensorflow") is None:
        print("cannot be checked here: tensorflow is not installed")
        return 2
    print(CODE)
    code = subprocess.run([sys.executable, "-c", CODE], capture_output=True, check=False).returncode
    print(f"the process ends with {code}: the bug is {'there' if code < 0 else 'not there'}")
    return 1 if code < 0 else 0


sys.exit(main())
