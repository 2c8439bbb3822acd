"""What ONNX's operators mean where JAX has no function for it.

An emitted program holds those of these functions, and of common.py, that it calls. Each cites the operator of the
ONNX standard that it follows; shapes and dtypes are those of that operator.
"""

import math

import jax
import jax.numpy as jnp
import numpy as np
from common import ceil_pairs, directions, resize_row, slice_bounds, transpose_pads, window_pairs
from jax import lax


def over_rest(op, x, axis):
    """Softmax and the like before opset 13: over all dims from the axis on."""
    axis = axis + x.ndim if axis < 0 else axis
    return op(x.reshape(math.prod(x.shape[:axis]), math.prod(x.shape[axis:])), 1).reshape(x.shape)


def arg_last(op, x, axis, keepdims):
    """ArgMax and ArgMin with select_last_index."""
    return x.shape[axis] - 1 - op(jnp.flip(x, axis), axis, keepdims=bool(keepdims))


def hardmax(x, axis):
    """Hardmax: 1 at the first largest element, else 0."""
    return jax.nn.one_hot(jnp.argmax(x, axis), x.shape[axis], dtype=x.dtype, axis=axis)


def selu(x, alpha, gamma):
    """Selu with the node's constants."""
    return gamma * jnp.where(x > 0, x, alpha * jnp.expm1(jnp.minimum(x, 0)))


def shrink(x, lambd, bias):
    """Shrink."""
    return jnp.where(x < -lambd, x + bias, jnp.where(x > lambd, x - bias, 0)).astype(x.dtype)


def flatten(x, axis):
    """Flatten to two dims."""
    axis = axis + x.ndim if axis < 0 else axis
    return x.reshape(math.prod(x.shape[:axis]), math.prod(x.shape[axis:]))


def expand(x, shape):
    """Expand in both directions."""
    return jnp.broadcast_to(x, np.broadcast_shapes(x.shape, tuple(shape)))


def expand_dims(x, axes):
    """Unsqueeze of several axes, which are axes of the result."""
    return jnp.expand_dims(x, tuple(axes))


def split(x, sizes, axis):
    """Split by sizes."""
    return jnp.split(x, np.cumsum(sizes)[:-1].tolist(), axis)


def slice_by(x, starts, ends, axes=None, steps=None):
    """Slice with any steps."""
    axes = list(range(len(starts))) if axes is None else axes
    steps = [1] * len(starts) if steps is None else steps
    for start, end, axis, step in zip(starts, ends, axes, steps):
        at = list(range(x.shape[axis]))[slice_bounds(start, end, step, x.shape[axis])]
        x = jnp.take(x, jnp.array(at, jnp.int64), axis)
    return x


def gather_elements(x, index, axis):
    """GatherElements: negative indices count from the end; indices may be smaller than the data."""
    places = list(jnp.indices(index.shape))
    places[axis] = jnp.where(index < 0, index + x.shape[axis], index)
    return x[tuple(places)]


def gather_nd(x, index):
    """GatherND without batch dims."""
    return x[tuple(jnp.moveaxis(index, -1, 0))]


def scatter_elements(x, index, updates, axis, reduction):
    """ScatterElements."""
    index = jnp.where(index < 0, index + x.shape[axis], index)
    places = list(jnp.indices(index.shape))
    places[axis] = index
    at = x.at[tuple(places)]
    if reduction == "none":
        return at.set(updates)
    return getattr(at, {"mul": "multiply"}.get(reduction, reduction))(updates)


def scatter_nd(x, index, updates, reduction):
    """ScatterND."""
    at = x.at[tuple(jnp.moveaxis(index, -1, 0))]
    if reduction == "none":
        return at.set(updates)
    return getattr(at, {"mul": "multiply"}.get(reduction, reduction))(updates)


def compress(x, keep, axis):
    """Compress by a constant condition, which may be shorter than the axis."""
    if axis is None:
        x, axis = x.reshape(-1), 0
    return jnp.take(x, np.nonzero(np.asarray(keep))[0], axis)


def one_hot(index, depth, values, axis):
    """OneHot: indices are cast to int64; one out of range gives a row without a 1."""
    index = index.astype(jnp.int64)
    index = jnp.where(index < 0, index + depth, index)
    hot = jax.nn.one_hot(index, depth, dtype=bool, axis=axis)
    return jnp.where(hot, values[1], values[0])


def top_k(x, k, axis, largest):
    """TopK: of equal elements the one with the lower index comes first."""
    index = jnp.argsort(x, axis, stable=True, descending=bool(largest))
    index = lax.slice_in_dim(index, 0, k, axis=axis % x.ndim)
    return jnp.take_along_axis(x, index, axis), index


def cumsum(x, axis, exclusive, reverse):
    """CumSum."""
    x = jnp.flip(x, axis) if reverse else x
    y = jnp.cumsum(x, axis, dtype=x.dtype)
    y = y - x if exclusive else y
    return jnp.flip(y, axis) if reverse else y


def gemm(a, b, c, alpha, beta, trans_a, trans_b):
    """Gemm."""
    y = jnp.matmul(a.T if trans_a else a, b.T if trans_b else b)
    y = y if alpha == 1.0 else (alpha * y).astype(a.dtype)
    return y if c is None else y + (c if beta == 1.0 else (beta * c).astype(a.dtype))


def lp_normalize(x, p, axis):
    """LpNormalization."""
    norm = jnp.sum(jnp.abs(x) ** p, axis, keepdims=True) ** (1 / p)
    return jnp.where(norm == 0, 0, x / norm)


def along(x, v, axis):
    """An array of one dim, shaped to broadcast along the axis."""
    if v is None or v.ndim != 1 or v.size == 1:
        return v
    return v.reshape([-1 if i == axis % x.ndim else 1 for i in range(x.ndim)])


def batch_norm(x, scale, bias, mean, var, epsilon):
    """BatchNormalization."""
    scale, bias, mean, var = (along(x, v, 1) for v in (scale, bias, mean, var))
    return ((x - mean) / jnp.sqrt(var + epsilon) * scale + bias).astype(x.dtype)


def instance_norm(x, scale, bias, epsilon):
    """InstanceNormalization."""
    axes = tuple(range(2, x.ndim))
    mean, var = jnp.mean(x, axes, keepdims=True), jnp.var(x, axes, keepdims=True)
    return (x - mean) / jnp.sqrt(var + epsilon) * along(x, scale, 1) + along(x, bias, 1)


def group_norm(x, scale, bias, groups, epsilon):
    """GroupNormalization with one scale per channel."""
    y = x.reshape(x.shape[0], groups, -1)
    mean, var = jnp.mean(y, 2, keepdims=True), jnp.var(y, 2, keepdims=True)
    y = ((y - mean) / jnp.sqrt(var + epsilon)).reshape(x.shape)
    return y * along(x, scale, 1) + along(x, bias, 1)


def mean_variance(x, axes):
    """MeanVarianceNormalization."""
    axes = tuple(axes)
    mean, var = jnp.mean(x, axes, keepdims=True), jnp.var(x, axes, keepdims=True)
    return (x - mean) / (jnp.sqrt(var) + 1e-9)


def layer_norm(x, scale, bias, axis, epsilon, stash):
    """LayerNormalization with its mean and inverse deviation, computed in the stash dtype."""
    axes = tuple(range(axis + x.ndim if axis < 0 else axis, x.ndim))
    y = x if x.dtype == jnp.float64 else x.astype(stash)
    mean = jnp.mean(y, axes, keepdims=True)
    inverse = 1 / jnp.sqrt(jnp.mean((y - mean) ** 2, axes, keepdims=True) + epsilon)
    result = ((y - mean) * inverse).astype(x.dtype) * scale
    result = result if bias is None else result + bias
    return result, mean.astype(stash), inverse.astype(stash)


def rms_norm(x, scale, axis, epsilon, stash):
    """RMSNormalization."""
    axes = tuple(range(axis + x.ndim if axis < 0 else axis, x.ndim))
    y = x if x.dtype == jnp.float64 else x.astype(stash)
    inverse = 1 / jnp.sqrt(jnp.mean(y * y, axes, keepdims=True) + epsilon)
    return (y * inverse).astype(scale.dtype) * scale


def lrn(x, size, alpha, beta, bias):
    """LRN."""
    sums = lax.reduce_window(
        x * x,
        np.array(0, x.dtype),
        lax.add,
        (1, size) + (1,) * (x.ndim - 2),
        (1,) * x.ndim,
        [(0, 0), ((size - 1) // 2, size // 2)] + [(0, 0)] * (x.ndim - 2),
    )
    return x / (bias + alpha / size * sums) ** beta


def conv(x, w, b, strides, pads, dilations, group, auto_pad):
    """Conv."""
    pairs, dilations = window_pairs(x, w.shape[2:], strides, pads, dilations, auto_pad)
    y = lax.conv_general_dilated(
        x, w, strides, pairs, rhs_dilation=dilations, feature_group_count=group
    )
    return y if b is None else y + along(y, b, 1)


def conv_transpose(
    x, w, b, strides, pads, output_padding, group, dilations, auto_pad, output_shape
):
    """ConvTranspose as a convolution of the input with holes."""
    n = x.ndim - 2
    dilations = dilations or [1] * n
    reach = [(k - 1) * e + 1 for k, e in zip(w.shape[2:], dilations)]
    full = [(d - 1) * s + r for d, s, r in zip(x.shape[2:], strides, reach)]
    pads, extra = transpose_pads(
        x.shape[2:], full, strides, pads, output_padding, auto_pad, output_shape
    )
    w = jnp.flip(w, tuple(range(2, w.ndim)))
    w = w.reshape(group, w.shape[0] // group, *w.shape[1:]).swapaxes(1, 2)
    w = w.reshape(-1, *w.shape[2:])
    pairs = [(r - 1 - pads[i], r - 1 - pads[i + n] + extra[i]) for i, r in enumerate(reach)]
    y = lax.conv_general_dilated(
        x, w, [1] * n, pairs, lhs_dilation=strides, rhs_dilation=dilations, feature_group_count=group
    )
    return y if b is None else y + along(y, b, 1)


def windows(x, op, start, kernel, strides, pairs, dilations):
    """A reduction over windows of the spatial dims."""
    return lax.reduce_window(
        x,
        np.array(start, x.dtype),
        op,
        (1, 1, *kernel),
        (1, 1, *strides),
        [(0, 0), (0, 0), *pairs],
        window_dilation=(1, 1, *dilations),
    )


def max_pool(x, kernel, strides, pads, dilations, ceil_mode, auto_pad):
    """MaxPool."""
    pairs, dilations = window_pairs(x, kernel, strides, pads, dilations, auto_pad)
    pairs = ceil_pairs(x, kernel, strides, pairs, dilations, ceil_mode)
    low = -np.inf if jnp.issubdtype(x.dtype, jnp.floating) else np.iinfo(x.dtype).min
    return windows(x, lax.max, low, kernel, strides, pairs, dilations)


def average_pool(x, kernel, strides, pads, dilations, ceil_mode, count_include_pad, auto_pad):
    """AveragePool."""
    inner, dilations = window_pairs(x, kernel, strides, pads, dilations, auto_pad)
    pairs = ceil_pairs(x, kernel, strides, inner, dilations, ceil_mode)
    counted = jnp.ones(x.shape, x.dtype)
    rest = pairs
    if count_include_pad:
        counted = jnp.pad(counted, [(0, 0), (0, 0), *inner], constant_values=1)
        rest = [(0, e - i) for (_, e), (_, i) in zip(pairs, inner)]
    sums = windows(x, lax.add, 0, kernel, strides, pairs, dilations)
    return sums / windows(counted, lax.add, 0, kernel, strides, rest, dilations)


def lp_pool(x, kernel, strides, pads, dilations, ceil_mode, p, auto_pad):
    """LpPool."""
    pairs, dilations = window_pairs(x, kernel, strides, pads, dilations, auto_pad)
    pairs = ceil_pairs(x, kernel, strides, pairs, dilations, ceil_mode)
    return windows(jnp.abs(x) ** p, lax.add, 0, kernel, strides, pairs, dilations) ** (1.0 / p)


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
        weights = jnp.array(rows, jnp.float64).reshape(size, n)
        y = jnp.tensordot(x.astype(jnp.float64), weights, axes=([axis], [1]))
        x = jnp.moveaxis(y, -1, axis).astype(x.dtype)
    return x


def pad(x, pads, value, axes, mode):
    """Pad; negative pads cut."""
    axes = list(range(x.ndim)) if axes is None else [a + x.ndim if a < 0 else a for a in axes]
    pairs = [(0, 0)] * x.ndim
    for i, axis in enumerate(axes):
        pairs[axis] = (pads[i], pads[i + len(axes)])
    if mode == "constant":
        fill = jnp.array(0 if value is None else value, x.dtype).reshape(())
        return lax.pad(x, fill, [(b, e, 0) for b, e in pairs])
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
        x = jnp.take(x, at, axis)
    return x


def center_crop_pad(x, shape, axes):
    """CenterCropPad."""
    axes = list(range(x.ndim)) if axes is None else axes
    for axis, wanted in zip(axes, shape):
        n = x.shape[axis]
        if n > wanted:
            x = lax.slice_in_dim(x, (n - wanted) // 2, (n - wanted) // 2 + wanted, axis=axis % x.ndim)
        elif n < wanted:
            begin = (wanted - n) // 2
            pairs = [(0, 0)] * x.ndim
            pairs[axis] = (begin, wanted - n - begin)
            x = jnp.pad(x, pairs)
    return x


def depth_to_space(x, size, mode):
    """DepthToSpace."""
    n, c, h, w = x.shape
    if mode == "DCR":
        y = x.reshape(n, size, size, c // size**2, h, w).transpose(0, 3, 4, 1, 5, 2)
    else:
        y = x.reshape(n, c // size**2, size, size, h, w).transpose(0, 1, 4, 2, 5, 3)
    return y.reshape(n, c // size**2, h * size, w * size)


def space_to_depth(x, size):
    """SpaceToDepth."""
    n, c, h, w = x.shape
    y = x.reshape(n, c, h // size, size, w // size, size).transpose(0, 3, 5, 1, 2, 4)
    return y.reshape(n, c * size**2, h // size, w // size)


def quantize(x, scale, zero, axis, dtype):
    """QuantizeLinear to integers: round to even, add the zero point, saturate."""
    scale, zero = along(x, scale, axis), along(x, zero, axis)
    y = jnp.round(x / scale).astype(jnp.float64) + (0 if zero is None else zero.astype(jnp.float64))
    return jnp.clip(y, np.iinfo(dtype).min, np.iinfo(dtype).max).astype(dtype)


def dequantize(x, scale, zero, axis):
    """DequantizeLinear."""
    scale, zero = along(x, scale, axis), along(x, zero, axis)
    x = x.astype(jnp.int64)
    return (x if zero is None else x - zero.astype(jnp.int64)).astype(scale.dtype) * scale


def dynamic_quantize(x):
    """DynamicQuantizeLinear to uint8."""
    low, high = jnp.minimum(x.min(), 0), jnp.maximum(x.max(), 0)
    scale = (high - low) / 255
    zero = jnp.clip(jnp.round((0 - low) / scale), 0, 255).astype(jnp.uint8)
    return quantize(x, scale, zero, 1, jnp.uint8), scale, zero


def matmul_integer(a, b, a_zero=None, b_zero=None):
    """MatMulInteger in int32."""
    a, b = a.astype(jnp.int32), b.astype(jnp.int32)
    if a_zero is not None:
        a = a - (a_zero[:, None] if a_zero.ndim == 1 and a.ndim > 1 else a_zero).astype(jnp.int32)
    return jnp.matmul(a, b if b_zero is None else b - b_zero.astype(jnp.int32))


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
                alive = (t < lengths).reshape(-1, 1)
                row = jnp.where(alive, row, 0)
                new = [jnp.where(alive, n, s) for n, s in zip(new, state)]
            rows.append(row)
            state = new
        rows = rows[::-1] if back else rows
        outputs.append(jnp.stack(rows) if rows else jnp.zeros((0, *state[0].shape), x.dtype))
        finals.append(state)
    return jnp.stack(outputs, 1), [jnp.stack(f) for f in zip(*finals)]


def lstm(x, w, r, b, lengths, h, c, p, direction, input_forget):
    """LSTM: gates i, o, f, c; peepholes i, o, f."""
    n = r.shape[-1]
    zero = jnp.zeros((w.shape[0], x.shape[1], n), x.dtype)
    h, c = zero if h is None else h, zero if c is None else c
    b = jnp.zeros((w.shape[0], 8 * n), x.dtype) if b is None else b
    p = jnp.zeros((w.shape[0], 3 * n), x.dtype) if p is None else p

    def step(d, xt, state):
        hidden, cell = state
        gates = xt @ w[d].T + hidden @ r[d].T + b[d, : 4 * n] + b[d, 4 * n :]
        i, o, f, g = jnp.split(gates, 4, -1)
        pi, po, pf = jnp.split(p[d], 3)
        i = jax.nn.sigmoid(i + pi * cell)
        f = 1 - i if input_forget else jax.nn.sigmoid(f + pf * cell)
        cell = f * cell + i * jnp.tanh(g)
        return [jax.nn.sigmoid(o + po * cell) * jnp.tanh(cell), cell]

    y, last = recur(x, directions(w, direction), lambda d: [h[d], c[d]], step, lengths)
    return y, last[0], last[1]


def gru(x, w, r, b, lengths, h, direction, linear_before_reset):
    """GRU: gates z, r, h."""
    n = r.shape[-1]
    h = jnp.zeros((w.shape[0], x.shape[1], n), x.dtype) if h is None else h
    b = jnp.zeros((w.shape[0], 6 * n), x.dtype) if b is None else b

    def step(d, xt, state):
        (hidden,) = state
        wb, rb = b[d, : 3 * n], b[d, 3 * n :]
        xz, xr, xh = jnp.split(xt @ w[d].T + wb, 3, -1)
        rz, rr, rh = jnp.split(r[d], 3)
        z = jax.nn.sigmoid(xz + hidden @ rz.T + rb[:n])
        reset = jax.nn.sigmoid(xr + hidden @ rr.T + rb[n : 2 * n])
        if linear_before_reset:
            new = jnp.tanh(xh + reset * (hidden @ rh.T + rb[2 * n :]))
        else:
            new = jnp.tanh(xh + (reset * hidden) @ rh.T + rb[2 * n :])
        return [(1 - z) * new + z * hidden]

    y, last = recur(x, directions(w, direction), lambda d: [h[d]], step, lengths)
    return y, last[0]


def rnn(x, w, r, b, lengths, h, direction):
    """RNN."""
    n = r.shape[-1]
    h = jnp.zeros((w.shape[0], x.shape[1], n), x.dtype) if h is None else h
    b = jnp.zeros((w.shape[0], 2 * n), x.dtype) if b is None else b

    def step(d, xt, state):
        (hidden,) = state
        return [jnp.tanh(xt @ w[d].T + hidden @ r[d].T + b[d, :n] + b[d, n:])]

    y, last = recur(x, directions(w, direction), lambda d: [h[d]], step, lengths)
    return y, last[0]
