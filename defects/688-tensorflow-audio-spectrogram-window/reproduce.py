"""TensorFlow 2.21.0: tf.raw_ops.AudioSpectrogram ends the process when window_size is negative.

The shape function refuses window sizes below 2 in a graph; the eager kernel gives the size to std::vector unchecked.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import importlib.util
import subprocess
import sys

CALL = """
import numpy as np
import tensorflow as tf

try:
    tf.raw_ops.AudioSpectrogram(input=np.zeros([2, 3], "float32"), window_size=-2, stride=1)
except tf.errors.InvalidArgumentError as e:
    print("refused:", str(e)[:80])
"""

if importlib.util.find_spec("tensorflow") is None:
    print("cannot be checked here: no tensorflow")
    sys.exit(2)
done = subprocess.run([sys.executable, "-c", CALL], capture_output=True, text=True)
print(done.stdout.strip() or f"the process ended with status {done.returncode}")
print("the bug is there" if done.returncode < 0 else "the bug is not there")
sys.exit(int(done.returncode < 0))
