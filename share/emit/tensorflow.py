"""What ONNX's operators mean where TensorFlow has no function for it.

An emitted program holds those of these functions, and of common.py, that it calls. Each cites the operator of the ONNX
standard that it follows; shapes and dtypes are those of that operator. They run call by call and inside tf.function:
shapes are known while it is traced, numbers are not.
"""

import math

import numpy as np
import tensorflow as tf
from common import (
    ceil_pairs,
    directions,
    fold,
    resize_row,
    slice_bounds,
    transpose_pads,
    window_pairs,
)


def over_rest(op, x, axis):
    """Softmax and the like before opset 13: over all dims from the axis on."""
    return tf.reshape(op(flatten(x, axis), 1), x.shape)


def flatten(x, axis):
    """Flatten to two dims."""
    axis = axis + len(x.shape) if axis < 0 else axis
    return tf.reshape(x, [math.prod(x.shape[:axis]), math.prod(x.shape[axis:])])


def argument(op, x, axis, keepdims, last=0):
    """ArgMax and ArgMin: of equal elements the first or the last."""
    y = op(tf.reverse(x, [axis % len(x.shape)]) if last else x, axis, output_type=tf.int64)
    y = x.shape[axis] - 1 - y if last else y
    return tf.expand_dims(y, axis) if keepdims else y


def celu(x, alpha):
    """Celu."""
    return tf.where(x > 0, x, alpha * tf.math.expm1(tf.minimum(x, 0) / alpha))


def elu(x, alpha):
    """Elu with the node's constant."""
    return tf.where(x > 0, x, alpha * tf.math.expm1(tf.minimum(x, 0)))


def selu(x, alpha, gamma):
    """Selu with the node's constants."""
    return gamma * elu(x, alpha)


def shrink(x, lambd, bias):
    """Shrink."""
    bias, zero = tf.cast(bias, x.dtype), tf.zeros_like(x)
    low = x < tf.cast(-lambd, x.dtype)
    return tf.where(low, x + bias, tf.where(x > tf.cast(lambd, x.dtype), x - bias, zero))


def expand(x, shape):
    """Expand in both directions."""
    return tf.broadcast_to(x, np.broadcast_shapes(tuple(x.shape), tuple(shape)))


def expand_dims(x, axes):
    """Unsqueeze of several axes, which are axes of the result."""
    rank = len(x.shape) + len(axes)
    for axis in sorted(axis % rank for axis in axes):
        x = tf.expand_dims(x, axis)
    return x


def slice_by(x, starts, ends, axes=None, steps=None):
    """Slice with any steps."""
    axes = list(range(len(starts))) if axes is None else axes
    steps = [1] * len(starts) if steps is None else steps
    index = [slice(None)] * len(x.shape)
    for start, end, axis, step in zip(starts, ends, axes, steps):
        index[axis] = slice_bounds(start, end, step, x.shape[axis])
    return x[tuple(index)]


def shift(op, x, y):
    """BitShift. By a negative number, or by at least the number of bits, all bits are shifted out."""
    bits = 8 * x.dtype.size
    keeps_sign = op is tf.bitwise.right_shift and not x.dtype.is_unsigned
    beyond = op(x, tf.constant(bits - 1, x.dtype)) if keeps_sign else tf.zeros_like(x)
    inside = (tf.cast(y, tf.int64) >= 0) & (tf.cast(y, tf.int64) < bits)
    return tf.where(inside, op(x, tf.where(inside, y, tf.zeros_like(y))), beyond)


def from_end(index, n):
    """Makes negative indices, which count from the end, positive."""
    return tf.where(index < 0, index + n, index)


def take(x, index, axis):
    """Gather."""
    return tf.gather(x, from_end(index, x.shape[axis]), axis=axis)


def elements(x, index, axis):
    """Coordinates for GatherElements and ScatterElements: those in index, with its value along the axis."""
    places = [tf.constant(place, index.dtype) for place in np.indices(tuple(index.shape))]
    places[axis] = from_end(index, x.shape[axis])
    return tf.stack(places, -1)


def gather_elements(x, index, axis):
    """GatherElements."""
    return tf.gather_nd(x, elements(x, index, axis))


def coordinates(x, index, batch_dims=0):
    """Indices of GatherND and ScatterND without negative ones."""
    sizes = list(x.shape)[batch_dims : batch_dims + index.shape[-1]]
    return from_end(index, tf.constant(sizes, index.dtype))


def gather_nd(x, index, batch_dims):
    """GatherND."""
    return tf.gather_nd(x, coordinates(x, index, batch_dims), batch_dims=batch_dims)


def compress(x, keep, axis):
    """Compress by a constant condition, which may be shorter than the axis."""
    if axis is None:
        x, axis = tf.reshape(x, [-1]), 0
    return tf.gather(x, np.nonzero(keep.numpy())[0], axis=axis)


def one_hot(index, depth, values, axis):
    """OneHot: indices are cast to int64; one out of range gives a row without a 1."""
    index = from_end(tf.cast(index, tf.int64), depth)
    axis = axis % (len(index.shape) + 1)
    return tf.one_hot(index, depth, values[1], values[0], axis)


def hardmax(x, axis):
    """Hardmax: 1 at the first largest element, else 0."""
    axis = axis % len(x.shape)
    return tf.one_hot(tf.argmax(x, axis), x.shape[axis], axis=axis, dtype=x.dtype)


def swap_last(x, axis):
    """The array with the axis and the last one swapped."""
    order = list(range(len(x.shape)))
    order[axis], order[-1] = order[-1], order[axis]
    return tf.transpose(x, order)


def top_k(x, k, axis, largest):
    """TopK: of equal elements the one with the lower index comes first."""
    y = swap_last(x, axis)
    key = y if largest else -y if x.dtype.is_floating else tf.bitwise.invert(y)
    index = tf.math.top_k(key, k, index_type=tf.int64).indices
    values = tf.gather(y, index, batch_dims=len(x.shape) - 1)
    return swap_last(values, axis), swap_last(index, axis)


def matmul(a, b):
    """MatMul with an operand of one dim."""
    y = tf.matmul(
        tf.expand_dims(a, 0) if len(a.shape) == 1 else a,
        tf.expand_dims(b, 1) if len(b.shape) == 1 else b,
    )
    y = tf.squeeze(y, -1) if len(b.shape) == 1 else y
    return tf.squeeze(y, -1 if len(b.shape) == 1 else -2) if len(a.shape) == 1 else y


def gemm(a, b, c, alpha, beta, trans_a, trans_b):
    """Gemm."""
    y = tf.matmul(a, b, transpose_a=bool(trans_a), transpose_b=bool(trans_b))
    y = y if alpha == 1.0 else tf.cast(alpha, y.dtype) * y
    return y if c is None else y + (c if beta == 1.0 else tf.cast(beta, c.dtype) * c)


def matmul_integer(a, b, a_zero=None, b_zero=None):
    """MatMulInteger in int32."""
    a, b = tf.cast(a, tf.int32), tf.cast(b, tf.int32)
    if a_zero is not None:
        rows = len(a_zero.shape) == 1 and len(a.shape) > 1
        a = a - tf.cast(tf.expand_dims(a_zero, 1) if rows else a_zero, tf.int32)
    return matmul(a, b if b_zero is None else b - tf.cast(b_zero, tf.int32))


def triangle(x, upper, k):
    """Trilu with any diagonal."""
    ones = np.ones(tuple(x.shape)[-2:], bool)
    return tf.where(np.triu(ones, k) if upper else np.tril(ones, k), x, tf.zeros_like(x))


def lp_normalize(x, p, axis):
    """LpNormalization."""
    norm = tf.norm(x, p, axis, keepdims=True)
    return tf.math.divide_no_nan(x, norm)


def along(x, v, axis):
    """An array of one dim, shaped to broadcast along the axis."""
    if v is None or len(v.shape) != 1 or v.shape[0] == 1:
        return v
    rank = len(x.shape)
    return tf.reshape(v, [-1 if i == axis % rank else 1 for i in range(rank)])


def batch_norm(x, scale, bias, mean, var, epsilon):
    """BatchNormalization, computed in float64 if the dtypes differ."""
    dtype = x.dtype if {v.dtype for v in (scale, bias, mean, var)} == {x.dtype} else tf.float64
    scale, bias, mean, var = (tf.cast(along(x, v, 1), dtype) for v in (scale, bias, mean, var))
    y = tf.nn.batch_normalization(tf.cast(x, dtype), mean, var, bias, scale, epsilon)
    return tf.cast(y, x.dtype)


def instance_norm(x, scale, bias, epsilon):
    """InstanceNormalization."""
    mean, var = tf.nn.moments(x, list(range(2, len(x.shape))), keepdims=True)
    return tf.nn.batch_normalization(
        x, mean, var, along(x, bias, 1), along(x, scale, 1), epsilon
    )


def group_norm(x, scale, bias, groups, epsilon):
    """GroupNormalization with one scale per channel."""
    y = tf.reshape(x, [x.shape[0], groups, -1])
    mean, var = tf.nn.moments(y, [2], keepdims=True)
    y = tf.reshape((y - mean) * tf.math.rsqrt(var + epsilon), x.shape)
    return y * along(x, scale, 1) + along(x, bias, 1)


def mean_variance(x, axes):
    """MeanVarianceNormalization."""
    mean, var = tf.nn.moments(x, axes, keepdims=True)
    return (x - mean) / (tf.sqrt(var) + 1e-9)


def layer_norm(x, scale, bias, axis, epsilon, stash):
    """LayerNormalization with its mean and inverse deviation, computed in the stash dtype."""
    axes = list(range(axis % len(x.shape), len(x.shape)))
    y = x if x.dtype == tf.float64 else tf.cast(x, stash)
    mean, var = tf.nn.moments(y, axes, keepdims=True)
    inverse = tf.math.rsqrt(var + epsilon)
    result = tf.cast((y - mean) * inverse, x.dtype) * scale
    result = result if bias is None else result + bias
    return result, tf.cast(mean, stash), tf.cast(inverse, stash)


def rms_norm(x, scale, axis, epsilon, stash):
    """RMSNormalization."""
    axes = list(range(axis % len(x.shape), len(x.shape)))
    y = x if x.dtype == tf.float64 else tf.cast(x, stash)
    inverse = tf.math.rsqrt(tf.reduce_mean(y * y, axes, keepdims=True) + epsilon)
    return tf.cast(y * inverse, scale.dtype) * scale


def channels_last(x):
    """To the order of dims of TensorFlow's window functions, channels last."""
    return tf.transpose(x, [0, *range(2, len(x.shape)), 1])


def channels_first(x):
    """To ONNX's order of dims, channels second."""
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


def padded(x, pairs, value=0):
    """Pads the spatial dims."""
    if not any(begin or end for begin, end in pairs):
        return x
    return tf.pad(x, [(0, 0), (0, 0), *pairs], constant_values=tf.constant(value, x.dtype))


def plain_conv(x, w, strides, dilations):
    """A convolution without pads or groups, channels last."""
    if any(s > 1 for s in strides) and any(d > 1 for d in dilations):
        y = tf.nn.convolution(x, w, padding="VALID", dilations=dilations)
        return y[(slice(None), *(slice(None, None, s) for s in strides))]
    return tf.nn.convolution(x, w, strides, "VALID", dilations=dilations)


def conv(x, w, b, strides, pads, dilations, group, auto_pad):
    """Conv; for images with one group per channel by depthwise_conv2d."""
    pairs, dilations = window_pairs(x, w.shape[2:], strides, pads, dilations, auto_pad)
    y = channels_last(padded(x, pairs))
    w = tf.transpose(w, [*range(2, len(w.shape)), 1, 0])
    same = len(set(strides)) == 1 and (strides[0] == 1 or set(dilations) == {1})
    if group == 1:
        y = plain_conv(y, w, strides, dilations)
    elif group == x.shape[1] and len(x.shape) == 4 and same:
        w = tf.reshape(w, [*w.shape[:2], group, -1])
        y = tf.nn.depthwise_conv2d(y, w, [1, *strides, 1], "VALID", dilations=dilations)
    else:
        pairs = zip(tf.split(y, group, -1), tf.split(w, group, -1))
        y = tf.concat([plain_conv(part, v, strides, dilations) for part, v in pairs], -1)
    return channels_first(y if b is None else tf.nn.bias_add(y, b))


def with_holes(w, dilations):
    """A filter with zeros between its elements, spatial dims first."""
    for axis, step in enumerate(dilations):
        n = w.shape[axis]
        y = tf.expand_dims(w, axis + 1)
        y = tf.pad(y, [(0, (step - 1) * (i == axis + 1)) for i in range(len(y.shape))])
        y = tf.reshape(y, [*w.shape[:axis], n * step, *w.shape[axis + 1 :]])
        w = y[(slice(None),) * axis + (slice(0, (n - 1) * step + 1),)]
    return w


def conv_transpose(
    x, w, b, strides, pads, output_padding, group, dilations, auto_pad, output_shape
):
    """ConvTranspose: the full result, from which the pads are then cut."""
    n = len(x.shape) - 2
    dilations = dilations or [1] * n
    reach = [(k - 1) * d + 1 for k, d in zip(w.shape[2:], dilations)]
    full = [(d - 1) * s + r for d, s, r in zip(x.shape[2:], strides, reach)]
    pads, extra = transpose_pads(
        list(x.shape[2:]), full, strides, pads, output_padding, auto_pad, output_shape
    )
    w = with_holes(tf.transpose(w, [*range(2, n + 2), 1, 0]), dilations)
    parts = zip(tf.split(channels_last(x), group, -1), tf.split(w, group, -1))
    made = [
        tf.nn.conv_transpose(part, v, [x.shape[0], *full, v.shape[-2]], strides, "VALID")
        for part, v in parts
    ]
    y = padded(channels_first(tf.concat(made, -1)), [(0, e) for e in extra])
    sizes = [f + e for f, e in zip(full, extra)]
    y = y[(..., *(slice(pads[i], sizes[i] - pads[i + n]) for i in range(n)))]
    return y if b is None else y + along(y, b, 1)


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


def average_pool(x, kernel, strides, pads, dilations, ceil_mode, count_include_pad, auto_pad):
    """AveragePool."""
    inner, dilations = window_pairs(x, kernel, strides, pads, dilations, auto_pad)
    pairs = ceil_pairs(x, kernel, strides, inner, dilations, ceil_mode)
    y = pool(padded(x, pairs), "AVG", kernel, strides, dilations)
    counted = inner if count_include_pad else [(0, 0)] * len(inner)
    if counted == pairs:
        return y
    rest = [(b - c, e - d) for (b, e), (c, d) in zip(pairs, counted)]
    ones = padded(padded(tf.ones([1, 1, *x.shape[2:]], x.dtype), counted, 1), rest)
    return y / pool(ones, "AVG", kernel, strides, dilations)


def lp_pool(x, kernel, strides, pads, dilations, ceil_mode, p, auto_pad):
    """LpPool."""
    pairs, dilations = window_pairs(x, kernel, strides, pads, dilations, auto_pad)
    pairs = ceil_pairs(x, kernel, strides, pairs, dilations, ceil_mode)
    y = pool(padded(tf.abs(x) ** p, pairs), "AVG", kernel, strides, dilations)
    return (y * math.prod(kernel)) ** (1.0 / p)


def resize(
    x,
    mode,
    coordinates,
    nearest="round_prefer_floor",
    cubic=-0.75,
    exclude=0,
    scales=None,
    sizes=None,
):
    """Resize by one matrix of weights per dim."""
    for axis, n in enumerate(list(x.shape)):
        scale = scales[axis] if scales else sizes[axis] / n
        size = int(math.floor(n * scale)) if scales else sizes[axis]
        if size == n and scale == 1:
            continue
        rows = [
            resize_row(i, n, size, scale, mode, coordinates, nearest, cubic, exclude)
            for i in range(size)
        ]
        y = tf.tensordot(tf.constant(rows, tf.float64), tf.cast(x, tf.float64), [[1], [axis]])
        order = [*range(1, axis + 1), 0, *range(axis + 1, len(x.shape))]
        x = tf.cast(tf.transpose(y, order), x.dtype)
    return x


def pad(x, pads, value, axes, mode):
    """Pad; negative pads cut."""
    rank = len(x.shape)
    pairs = [(0, 0)] * rank
    for i, axis in enumerate(range(rank) if axes is None else axes):
        pairs[axis] = (pads[i], pads[i + len(pads) // 2])
    if mode == "constant":
        fill = tf.zeros([], x.dtype) if value is None else value
        wider = [(max(begin, 0), max(end, 0)) for begin, end in pairs]
        y = tf.pad(x, wider, constant_values=tf.reshape(tf.cast(fill, x.dtype), []))
        return y[tuple(slice(max(-b, 0), y.shape[i] + min(e, 0)) for i, (b, e) in enumerate(pairs))]
    if mode == "reflect" and all(0 <= p < n for pair, n in zip(pairs, x.shape) for p in pair):
        return tf.pad(x, pairs, "REFLECT")
    for axis, (begin, end) in enumerate(pairs):
        n = x.shape[axis]
        at = np.arange(-begin, n + end)
        if mode == "edge":
            at = at.clip(0, n - 1)
        elif mode == "wrap":
            at = at % n
        else:
            at = at % max(2 * n - 2, 1)
            at = np.where(at >= n, 2 * n - 2 - at, at)
        x = tf.gather(x, at, axis=axis)
    return x


def center_crop_pad(x, shape, axes):
    """CenterCropPad."""
    index, pairs = [slice(None)] * len(x.shape), [(0, 0)] * len(x.shape)
    for axis, wanted in zip(range(len(x.shape)) if axes is None else axes, shape):
        n = x.shape[axis]
        cut, begin = max(n - wanted, 0) // 2, max(wanted - n, 0) // 2
        index[axis] = slice(cut, cut + wanted)
        pairs[axis] = (begin, max(wanted - n, 0) - begin)
    return tf.pad(x[tuple(index)], pairs)


def depth_to_space(x, size, mode):
    """DepthToSpace."""
    if mode == "DCR":
        return channels_first(tf.nn.depth_to_space(channels_last(x), size))
    n, c, h, w = x.shape
    y = tf.reshape(x, [n, c // size**2, size, size, h, w])
    return tf.reshape(tf.transpose(y, [0, 1, 4, 2, 5, 3]), [n, c // size**2, h * size, w * size])


def space_to_depth(x, size):
    """SpaceToDepth."""
    return channels_first(tf.nn.space_to_depth(channels_last(x), size))


def quantize(x, scale, zero, axis, dtype):
    """QuantizeLinear to integers: round to even, add the zero point, saturate."""
    scale, zero = along(x, scale, axis), along(x, zero, axis)
    y = tf.cast(tf.round(tf.cast(x, scale.dtype) / scale), tf.float64)
    y = y if zero is None else y + tf.cast(zero, tf.float64)
    return tf.cast(tf.clip_by_value(y, dtype.min, dtype.max), dtype)


def dequantize(x, scale, zero, axis):
    """DequantizeLinear."""
    scale, zero = along(x, scale, axis), along(x, zero, axis)
    x = tf.cast(x, tf.int64)
    return tf.cast(x if zero is None else x - tf.cast(zero, tf.int64), scale.dtype) * scale


def dynamic_quantize(x):
    """DynamicQuantizeLinear to uint8."""
    low, high = tf.minimum(tf.reduce_min(x), 0), tf.maximum(tf.reduce_max(x), 0)
    scale = (high - low) / 255
    zero = tf.cast(tf.clip_by_value(tf.round((0 - low) / scale), 0, 255), tf.uint8)
    return quantize(x, scale, zero, 1, tf.uint8), scale, zero


def recur(x, parts, start, step, lengths):
    """Runs a cell over time in each direction; outputs [time, direction, batch, hidden]."""
    outputs, finals = [], []
    for d, back in parts:
        state = start(d)
        rows = []
        for t in reversed(range(x.shape[0])) if back else range(x.shape[0]):
            new = step(d, x[t], state)
            row = new[0]
            if lengths is not None:
                alive = tf.reshape(t < lengths, [-1, 1])
                row = tf.where(alive, row, tf.zeros_like(row))
                new = [tf.where(alive, n, s) for n, s in zip(new, state)]
            rows.append(row)
            state = new
        rows = rows[::-1] if back else rows
        outputs.append(tf.stack(rows) if rows else tf.zeros([0, *state[0].shape], x.dtype))
        finals.append(state)
    return tf.stack(outputs, 1), [tf.stack(f) for f in zip(*finals)]


def times(x, w):
    """A matrix times the transposed weights."""
    return tf.matmul(x, w, transpose_b=True)


def lstm(x, w, r, b, lengths, h, c, p, direction, input_forget):
    """LSTM: gates i, o, f, c; peepholes i, o, f."""
    n = r.shape[-1]
    zero = tf.zeros([w.shape[0], x.shape[1], n], x.dtype)
    h, c = zero if h is None else h, zero if c is None else c
    b = tf.zeros([w.shape[0], 8 * n], x.dtype) if b is None else b
    p = tf.zeros([w.shape[0], 3 * n], x.dtype) if p is None else p

    def step(d, xt, state):
        hidden, cell = state
        gates = times(xt, w[d]) + times(hidden, r[d]) + b[d, : 4 * n] + b[d, 4 * n :]
        i, o, f, g = tf.split(gates, 4, -1)
        pi, po, pf = tf.split(p[d], 3)
        i = tf.sigmoid(i + pi * cell)
        f = 1 - i if input_forget else tf.sigmoid(f + pf * cell)
        cell = f * cell + i * tf.tanh(g)
        return [tf.sigmoid(o + po * cell) * tf.tanh(cell), cell]

    y, last = recur(x, directions(w, direction), lambda d: [h[d], c[d]], step, lengths)
    return y, last[0], last[1]


def gru(x, w, r, b, lengths, h, direction, linear_before_reset):
    """GRU: gates z, r, h."""
    n = r.shape[-1]
    h = tf.zeros([w.shape[0], x.shape[1], n], x.dtype) if h is None else h
    b = tf.zeros([w.shape[0], 6 * n], x.dtype) if b is None else b

    def step(d, xt, state):
        (hidden,) = state
        wb, rb = b[d, : 3 * n], b[d, 3 * n :]
        xz, xr, xh = tf.split(times(xt, w[d]) + wb, 3, -1)
        rz, rr, rh = tf.split(r[d], 3)
        z = tf.sigmoid(xz + times(hidden, rz) + rb[:n])
        reset = tf.sigmoid(xr + times(hidden, rr) + rb[n : 2 * n])
        if linear_before_reset:
            new = tf.tanh(xh + reset * (times(hidden, rh) + rb[2 * n :]))
        else:
            new = tf.tanh(xh + times(reset * hidden, rh) + rb[2 * n :])
        return [(1 - z) * new + z * hidden]

    y, last = recur(x, directions(w, direction), lambda d: [h[d]], step, lengths)
    return y, last[0]


def rnn(x, w, r, b, lengths, h, direction):
    """RNN."""
    n = r.shape[-1]
    h = tf.zeros([w.shape[0], x.shape[1], n], x.dtype) if h is None else h
    b = tf.zeros([w.shape[0], 2 * n], x.dtype) if b is None else b

    def step(d, xt, state):
        (hidden,) = state
        return [tf.tanh(times(xt, w[d]) + times(hidden, r[d]) + b[d, :n] + b[d, n:])]

    y, last = recur(x, directions(w, direction), lambda d: [h[d]], step, lengths)
    return y, last[0]
