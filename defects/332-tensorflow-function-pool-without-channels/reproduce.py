"""MaxPool: exception (float)

a valid model is refused: Negative dimension size caused by subtracting 1 from 0 for '{{node max_pool}} = MaxPool[T=DT_FLOAT, data_format='NHWC', explicit_paddings=[], ksize=[1, 1, 1, 1], padding='VALID', strides=[1, 1, 1, 1]](transpose)' with input shapes: [1,1,1,0].

Found with tensorflow@2.21.0/function by assay 0.1.0, bug 944831fe6d, severity S2.
Exits 1 while the bug lives, 0 when it is gone, 2 when it cannot be checked here.
"""

import sys

import numpy as np
import tensorflow as tf


def window_pairs(x, kernel, strides, pads, dilations, auto_pad):
    """Pads of a window operator as pairs, one a spatial dim, and its dilations."""
    n = len(x.shape) - 2
    dilations = dilations or [1] * n
    if auto_pad.startswith("SAME"):
        pairs = []
        for d, k, s, e in zip(x.shape[2:], kernel, strides, dilations):
            total = max((-(-d // s) - 1) * s + (k - 1) * e + 1 - d, 0)
            less, more = total // 2, total - total // 2
            pairs.append((less, more) if auto_pad == "SAME_UPPER" else (more, less))
        return pairs, dilations
    if auto_pad == "VALID" or not pads:
        return [(0, 0)] * n, dilations
    return list(zip(pads[:n], pads[n:])), dilations


def ceil_pairs(x, kernel, strides, pairs, dilations, ceil_mode):
    """Pads with what ceil_mode adds at the end: a last window that begins inside the input."""
    made = []
    for i, (begin, end) in enumerate(pairs):
        size = x.shape[2 + i] + begin + end
        reach = (kernel[i] - 1) * dilations[i] + 1
        added = 0
        if ceil_mode:
            count = -(-(size - reach) // strides[i]) + 1
            count -= (count - 1) * strides[i] >= x.shape[2 + i] + begin
            added = max((count - 1) * strides[i] + reach - size, 0)
        made.append((begin, end + added))
    return made


def channels_last(x):
    """The order of dims that TensorFlow's windows want."""
    return tf.transpose(x, [0, *range(2, len(x.shape)), 1])


def channels_first(x):
    """ONNX's order of dims."""
    return tf.transpose(x, [0, len(x.shape) - 1, *range(1, len(x.shape) - 1)])


def padded(x, pairs, value=0):
    """Spatial dims with pads."""
    if not any(begin or end for begin, end in pairs):
        return x
    return tf.pad(x, [(0, 0), (0, 0), *pairs], constant_values=tf.constant(value, x.dtype))


def pool(x, kind, kernel, strides, dilations):
    """A pool without pads."""
    y = channels_last(x)
    if all(d == 1 for d in dilations):
        return channels_first(tf.nn.pool(y, kernel, kind, strides, "VALID"))
    y = tf.nn.pool(y, kernel, kind, None, "VALID", dilations=dilations)
    return channels_first(y[(slice(None), *(slice(None, None, s) for s in strides))])


def max_pool(x, kernel, strides, pads, dilations, ceil_mode, auto_pad):
    """MaxPool."""
    pairs, dilations = window_pairs(x, kernel, strides, pads, dilations, auto_pad)
    pairs = ceil_pairs(x, kernel, strides, pairs, dilations, ceil_mode)
    low = -np.inf if x.dtype.is_floating else x.dtype.min
    return pool(padded(x, pairs, low), "MAX", kernel, strides, dilations)


def model(Pad_5):
    MaxPool_6 = max_pool(Pad_5, [1, 1], [1, 1], None, None, 0, "NOTSET")
    return MaxPool_6


inputs = (
    tf.zeros([1, 0, 1, 1], tf.float32),
)


def outputs(function):
    """Dtype, shape and numbers of each output."""
    made = function(*inputs)
    made = made if isinstance(made, tuple) else (made,)
    return [(y.dtype.name, tuple(y.shape), y.numpy().reshape(-1).tolist()) for y in made]


def make():
    """The model in mode function."""
    return tf.function(model, autograph=False)


print("tensorflow", tf.__version__)
try:
    outputs(make())
except Exception as error:
    print(type(error).__name__ + ":", str(error)[:1000])
    print("the bug is there")
    sys.exit(1)
print("as expected: the model runs")
