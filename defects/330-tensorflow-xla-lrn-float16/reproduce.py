"""LRN: internal-error (float16)

a valid model is refused: during context [Unknown]: Seen floating point types of different precisions in %LRN.23 = f32[1,1,1,1]{3,2,1,0} multiply(%LRN.22, %LRN.19)

Found with tensorflow@2.21.0/xla by assay 0.1.0, bug 73a60b986d, severity S2.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys

import numpy as np
import tensorflow as tf


def fold(op, xs):
    """A function of two tensors over a list of them."""
    y = xs[0]
    for x in xs[1:]:
        y = op(y, x)
    return y


def channels_last(x):
    """The order of dims that TensorFlow's windows want."""
    return tf.transpose(x, [0, *range(2, len(x.shape)), 1])


def channels_first(x):
    """ONNX's order of dims."""
    return tf.transpose(x, [0, len(x.shape) - 1, *range(1, len(x.shape) - 1)])


def lrn(x, size, alpha, beta, bias):
    """LRN."""
    if size % 2 and len(x.shape) == 4 and x.dtype != tf.float64:
        y = tf.nn.local_response_normalization(
            channels_last(x), size // 2, bias, alpha / size, beta
        )
        return channels_first(y)
    rest = [(0, 0)] * (len(x.shape) - 2)
    squares = tf.pad(x * x, [(0, 0), ((size - 1) // 2, size // 2), *rest])
    sums = fold(tf.add, [squares[:, i : i + x.shape[1]] for i in range(size)])
    return x / (bias + alpha / size * sums) ** beta


def model(Cast_2):
    LRN_3 = lrn(Cast_2, 5, 0.0001, 0.75, 1.0)
    return LRN_3


inputs = (
    tf.constant([0.0], tf.float16, [1, 1, 1, 1]),
)


def outputs(function):
    """Dtype, shape and numbers of each output."""
    made = function(*inputs)
    made = made if isinstance(made, tuple) else (made,)
    return [(y.dtype.name, tuple(y.shape), y.numpy().reshape(-1).tolist()) for y in made]


def make():
    """The model in mode xla."""
    return tf.function(model, autograph=False, jit_compile=True)


print("tensorflow", tf.__version__)
try:
    outputs(make())
except Exception as error:
    print(type(error).__name__ + ":", str(error)[:1000])
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
