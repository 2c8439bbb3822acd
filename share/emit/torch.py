"""What ONNX's operators mean where PyTorch has no function for it.

An emitted program holds those of these functions, and of common.py, that it calls. Each cites the operator of the ONNX
standard that it follows; shapes and dtypes are those of that operator.
"""

import math

import torch
import torch.nn.functional as F
from common import directions, resize_row, slice_bounds


def axes_of(x, axes):
    """Axes of a reduction; none mean all."""
    return tuple(axes) if axes else tuple(range(x.dim()))


def over_rest(op, x, axis):
    """Softmax and the like before opset 13: over all dims from the axis on."""
    axis = axis + x.dim() if axis < 0 else axis
    return op(x.reshape(math.prod(x.shape[:axis]), math.prod(x.shape[axis:])), 1).reshape(x.shape)


def arg_last(op, x, axis, keepdims):
    """ArgMax and ArgMin with select_last_index."""
    return x.shape[axis] - 1 - op(x.flip(axis), axis, keepdim=bool(keepdims))


def hardmax(x, axis):
    """Hardmax: 1 at the first largest element, else 0."""
    at = torch.argmax(x, axis, keepdim=True)
    return torch.zeros_like(x).scatter(axis, at, 1.0)


def selu(x, alpha, gamma):
    """Selu with the node's constants."""
    return gamma * torch.where(x > 0, x, alpha * torch.expm1(x.clamp(max=0)))


def shrink(x, lambd, bias):
    """Shrink."""
    zero = torch.zeros_like(x)
    return torch.where(x < -lambd, x + bias, torch.where(x > lambd, x - bias, zero)).to(x.dtype)


def cast_float8(x, dtype):
    """Cast to an 8-bit float: overflow gives the largest number."""
    largest = torch.finfo(dtype).max
    return torch.where(x.isnan(), x, x.clamp(-largest, largest)).to(dtype)


def flatten(x, axis):
    """Flatten to two dims."""
    axis = axis + x.dim() if axis < 0 else axis
    return x.reshape(math.prod(x.shape[:axis]), math.prod(x.shape[axis:]))


def reshape(x, shape, allowzero):
    """Reshape where 0 means the input's dim."""
    if not allowzero:
        shape = [x.shape[i] if d == 0 else d for i, d in enumerate(shape)]
    return x.reshape(shape)


def expand(x, shape):
    """Expand in both directions."""
    return x.expand(torch.broadcast_shapes(x.shape, tuple(shape)))


def unsqueeze(x, axes):
    """Unsqueeze of several axes, which are axes of the result."""
    rank = x.dim() + len(axes)
    for axis in sorted(a + rank if a < 0 else a for a in axes):
        x = x.unsqueeze(axis)
    return x


def slice_by(x, starts, ends, axes=None, steps=None):
    """Slice with any steps."""
    axes = list(range(len(starts))) if axes is None else axes
    steps = [1] * len(starts) if steps is None else steps
    for start, end, axis, step in zip(starts, ends, axes, steps):
        at = list(range(x.shape[axis]))[slice_bounds(start, end, step, x.shape[axis])]
        x = x.index_select(axis, torch.tensor(at, dtype=torch.int64))
    return x


def gather_elements(x, index, axis):
    """GatherElements: negative indices count from the end."""
    index = index.long()
    return torch.gather(x, axis, torch.where(index < 0, index + x.shape[axis], index))


def gather_nd(x, index, batch_dims):
    """GatherND."""
    batch = x.shape[:batch_dims]
    count = math.prod(batch)
    x = x.reshape(count, *x.shape[batch_dims:])
    index = index.long().reshape(count, *index.shape[batch_dims:])
    rows = []
    for b in range(x.shape[0]):
        rows.append(x[b][tuple(index[b].unbind(-1))])
    return torch.stack(rows).reshape(*batch, *rows[0].shape)


def scatter_elements(x, index, updates, axis, reduction):
    """ScatterElements."""
    index = index.long()
    index = torch.where(index < 0, index + x.shape[axis], index)
    if reduction == "none":
        return x.scatter(axis, index, updates)
    name = {"add": "sum", "mul": "prod", "max": "amax", "min": "amin"}[reduction]
    return x.scatter_reduce(axis, index, updates, name)


def scatter_nd(x, index, updates, reduction):
    """ScatterND."""
    k = index.shape[-1]
    index = index.long().reshape(-1, k)
    sizes = torch.tensor(x.shape[:k], dtype=torch.int64)
    index = torch.where(index < 0, index + sizes, index)
    places = [math.prod(x.shape[i + 1 : k]) for i in range(k)]
    flat = (index * torch.tensor(places, dtype=torch.int64)).sum(-1)
    rows = x.reshape(math.prod(x.shape[:k]), -1)
    updates = updates.reshape(flat.shape[0], -1)
    if reduction == "none":
        return rows.index_copy(0, flat, updates).reshape(x.shape)
    if reduction == "add":
        return rows.index_add(0, flat, updates).reshape(x.shape)
    name = {"mul": "prod", "max": "amax", "min": "amin"}[reduction]
    return rows.index_reduce(0, flat, updates, name).reshape(x.shape)


def tensor_scatter(x, update, at, axis, mode):
    """TensorScatter: writes to a cache, from a separate index in each batch."""
    axis = axis + x.dim() if axis < 0 else axis
    y = x.clone()
    for b in range(x.shape[0]):
        start = int(at[b]) if at is not None else 0
        places = torch.arange(start, start + update.shape[axis])
        if mode == "circular":
            places = places % x.shape[axis]
        y[b].index_copy_(axis - 1, places, update[b])
    return y


def compress(x, keep, axis):
    """Compress: a condition may be shorter than the axis."""
    if axis is None:
        x, axis = x.reshape(-1), 0
    return x.index_select(axis, torch.nonzero(keep).reshape(-1))


def one_hot(index, depth, values, axis):
    """OneHot: indices are cast to int64; one out of range gives a row without a 1."""
    index = index.to(torch.int64)
    axis = axis + index.dim() + 1 if axis < 0 else axis
    index = torch.where(index < 0, index + depth, index).unsqueeze(axis)
    shape = [depth if i == axis else 1 for i in range(index.dim())]
    return torch.where(index == torch.arange(depth).reshape(shape), values[1], values[0])


def top_k(x, k, axis, largest):
    """TopK: of equal elements the one with the lower index comes first."""
    values, index = torch.sort(x, dim=axis, descending=bool(largest), stable=True)
    return values.narrow(axis, 0, k), index.narrow(axis, 0, k)


def cumsum(x, axis, exclusive, reverse):
    """CumSum."""
    x = x.flip(axis) if reverse else x
    y = torch.cumsum(x, axis, dtype=x.dtype)
    y = y - x if exclusive else y
    return y.flip(axis) if reverse else y


def product(x, axes, keepdims):
    """ReduceProd over several axes."""
    rank = x.dim()
    for axis in sorted((a + rank if a < 0 else a for a in axes), reverse=True):
        x = torch.prod(x, axis, keepdim=bool(keepdims), dtype=x.dtype)
    return x


def eye_like(x, k, dtype):
    """EyeLike."""
    return torch.ones(x.shape, dtype=dtype).triu(k).tril(k)


def gemm(a, b, c, alpha, beta, trans_a, trans_b):
    """Gemm."""
    a = a.t() if trans_a else a
    b = b.t() if trans_b else b
    if c is None:
        return torch.mm(a, b) if alpha == 1.0 else alpha * torch.mm(a, b)
    return torch.addmm(c, a, b, beta=beta, alpha=alpha)


def lp_normalize(x, p, axis):
    """LpNormalization."""
    norm = torch.linalg.vector_norm(x, p, axis, keepdim=True)
    return torch.where(norm == 0, torch.zeros_like(x), x / norm)


def mean_variance(x, axes):
    """MeanVarianceNormalization."""
    mean = torch.mean(x, axes, keepdim=True)
    return (x - mean) / (torch.sqrt(torch.mean((x - mean) ** 2, axes, keepdim=True)) + 1e-9)


def layer_norm(x, scale, bias, axis, epsilon, stash):
    """LayerNormalization with its mean and inverse deviation, computed in the stash dtype."""
    axes = list(range(axis + x.dim() if axis < 0 else axis, x.dim()))
    y = x.to(stash) if x.dtype != torch.float64 else x
    mean = torch.mean(y, axes, keepdim=True)
    inverse = torch.rsqrt(torch.mean((y - mean) ** 2, axes, keepdim=True) + epsilon)
    result = ((y - mean) * inverse).to(x.dtype) * scale
    result = result if bias is None else result + bias
    return result, mean.to(stash), inverse.to(stash)


def rms_norm(x, scale, axis, epsilon, stash):
    """RMSNormalization with a scale that is broadcast."""
    axes = list(range(axis + x.dim() if axis < 0 else axis, x.dim()))
    y = x.to(stash) if x.dtype != torch.float64 else x
    inverse = torch.rsqrt(torch.mean(y * y, axes, keepdim=True) + epsilon)
    return (y * inverse).to(scale.dtype) * scale


def batch_norm(x, scale, bias, mean, var, epsilon):
    """BatchNormalization of any dtypes."""
    scale, bias, mean, var = (along(x, v.double(), 1) for v in (scale, bias, mean, var))
    return ((x.double() - mean) / (var + epsilon).sqrt() * scale + bias).to(x.dtype)


def lrn(x, size, alpha, beta, bias):
    """LRN: for an even size the window reaches one further to the end."""
    if size % 2:
        return F.local_response_norm(x, size, alpha, beta, bias)
    squares = (x * x).reshape(x.shape[0], 1, x.shape[1], -1)
    padded = F.pad(squares, [0, 0, (size - 1) // 2, size // 2])
    mean = F.avg_pool2d(padded, [size, 1], 1).reshape(x.shape)
    return x / (mean * alpha + bias) ** beta


def same_pads(x, kernel, strides, dilations, auto_pad):
    """Pads of auto_pad SAME_UPPER and SAME_LOWER."""
    begin, end = [], []
    for n, k, s, d in zip(x.shape[2:], kernel, strides, dilations):
        total = max((-(-n // s) - 1) * s + (k - 1) * d + 1 - n, 0)
        less, more = total // 2, total - total // 2
        begin.append(less if auto_pad == "SAME_UPPER" else more)
        end.append(more if auto_pad == "SAME_UPPER" else less)
    return begin + end


def window_pads(x, kernel, strides, pads, dilations, auto_pad):
    """Pads of a window operator (all begins, then all ends), and its dilations."""
    n = x.dim() - 2
    dilations = dilations or [1] * n
    if auto_pad.startswith("SAME"):
        return same_pads(x, kernel, strides, dilations, auto_pad), dilations
    if auto_pad == "VALID" or not pads:
        return [0] * (2 * n), dilations
    return pads, dilations


def pad_ends(x, pads, value=0.0):
    """Pads of the last dims: all begins, then all ends."""
    n = len(pads) // 2
    pairs = [p for i in reversed(range(n)) for p in (pads[i], pads[i + n])]
    return F.pad(x, pairs, value=value) if any(pairs) else x


def conv(x, w, b, strides, pads, dilations, group, auto_pad):
    """Conv with pads that differ at both ends."""
    pads, dilations = window_pads(x, w.shape[2:], strides, pads, dilations, auto_pad)
    op = [F.conv1d, F.conv2d, F.conv3d][x.dim() - 3]
    return op(pad_ends(x, pads), w, b, strides, 0, dilations, group)


def conv_transpose(
    x, w, b, strides, pads, output_padding, group, dilations, auto_pad, output_shape
):
    """ConvTranspose: the full result, from which the pads are then cut."""
    n = x.dim() - 2
    extra = output_padding or [0] * n
    dilations = dilations or [1] * n
    if output_shape:
        full = [(d - 1) * s + (k - 1) * e + 1 for d, s, k, e in zip(x.shape[2:], strides, w.shape[2:], dilations)]
        extra = [max(e, o - f) for e, o, f in zip(extra, output_shape[-n:], full)]
    op = [F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d][n - 1]
    y = op(x, w, b, strides, 0, 0, group, dilations)
    y = F.pad(y, [p for e in reversed(extra) for p in (0, e)])
    if b is not None and any(extra):
        for i, e in enumerate(extra):
            tail = y.narrow(2 + i, y.shape[2 + i] - e, e)
            tail.copy_(b.reshape(1, -1, *[1] * n).expand_as(tail))
    if output_shape or auto_pad.startswith("SAME"):
        wanted = output_shape or [d * s for d, s in zip(x.shape[2:], strides)]
        wanted = wanted[-n:]
        total = [max(d - o, 0) for d, o in zip(y.shape[2:], wanted)]
        half = [t // 2 for t in total]
        more = [t - h for t, h in zip(total, half)]
        pads = more + half if auto_pad == "SAME_LOWER" else half + more
    pads = pads if pads and auto_pad != "VALID" else [0] * (2 * n)
    for i in range(n):
        y = y.narrow(2 + i, pads[i], y.shape[2 + i] - pads[i] - pads[i + n])
    return y


def ceil_pads(x, kernel, strides, pads, dilations, ceil_mode):
    """What ceil_mode adds at the end for a last window, which begins inside the input or its begin pad."""
    n = len(kernel)
    added = [0] * n
    for i in range(n if ceil_mode else 0):
        size = x.shape[2 + i] + pads[i] + pads[i + n]
        reach = (kernel[i] - 1) * dilations[i] + 1
        count = -(-(size - reach) // strides[i]) + 1
        if (count - 1) * strides[i] >= x.shape[2 + i] + pads[i]:
            count -= 1
        added[i] = max((count - 1) * strides[i] + reach - size, 0)
    return added


def window_sum(x, kernel, strides, dilations):
    """Sums over windows, channel by channel."""
    op = [F.conv1d, F.conv2d, F.conv3d][len(kernel) - 1]
    ones = torch.ones([1, 1, *kernel], dtype=x.dtype)
    y = op(x.reshape(-1, 1, *x.shape[2:]), ones, None, strides, 0, dilations)
    return y.reshape(*x.shape[:2], *y.shape[2:])


def average_pool(x, kernel, strides, pads, dilations, ceil_mode, count_include_pad, auto_pad):
    """AveragePool with any pads, dilations and ceil_mode."""
    pads, dilations = window_pads(x, kernel, strides, pads, dilations, auto_pad)
    added = ceil_pads(x, kernel, strides, pads, dilations, ceil_mode)
    n = len(kernel)
    counted = torch.ones_like(x)
    counted = pad_ends(counted, pads, 1.0 if count_include_pad else 0.0)
    padded = pad_ends(pad_ends(x, pads), [0] * n + added)
    counted = pad_ends(counted, [0] * n + added)
    sums = window_sum(padded, kernel, strides, dilations)
    return sums / window_sum(counted, kernel, strides, dilations)


def lp_pool(x, kernel, strides, pads, dilations, ceil_mode, p, auto_pad):
    """LpPool."""
    pads, dilations = window_pads(x, kernel, strides, pads, dilations, auto_pad)
    added = ceil_pads(x, kernel, strides, pads, dilations, ceil_mode)
    padded = pad_ends(pad_ends(x.abs() ** p, pads), [0] * len(kernel) + added)
    return window_sum(padded, kernel, strides, dilations) ** (1.0 / p)


def max_pool(x, kernel, strides, pads, dilations, ceil_mode, storage_order, auto_pad):
    """MaxPool with any pads, ceil_mode and indices, which count over the whole input."""
    pads, dilations = window_pads(x, kernel, strides, pads, dilations, auto_pad)
    added = ceil_pads(x, kernel, strides, pads, dilations, ceil_mode)
    n = len(kernel)
    is_float = x.dtype.is_floating_point
    padded = pad_ends(x if is_float else x.double(), pads, -torch.inf)
    padded = pad_ends(padded, [0] * n + added, -torch.inf)
    op = [F.max_pool1d, F.max_pool2d, F.max_pool3d][n - 1]
    y, at = op(padded, kernel, strides, 0, dilations, return_indices=True)
    place, rest, step = 0, at, 1
    order = list(range(n)) if storage_order else list(reversed(range(n)))
    inner = {}
    for i in reversed(range(n)):
        inner[i] = rest % padded.shape[2 + i] - pads[i]
        rest = rest // padded.shape[2 + i]
    for i in order:
        place = place + inner[i] * step
        step *= x.shape[2 + i]
    planes = torch.arange(x.shape[0] * x.shape[1]).reshape(*x.shape[:2], *[1] * n)
    return y.to(x.dtype), place + planes * step


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
        rows = [resize_row(i, n, size, scale, mode, coordinates, nearest, cubic, exclude) for i in range(size)]
        weights = torch.tensor(rows, dtype=torch.float64).reshape(size, n)
        y = torch.tensordot(x.double(), weights, dims=([axis], [1]))
        x = y.movedim(-1, axis).to(x.dtype)
    return x


def pad(x, pads, value, axes, mode):
    """Pad of any dims by indices."""
    rank = x.dim()
    axes = list(range(rank)) if axes is None else [a + rank if a < 0 else a for a in axes]
    for i, axis in enumerate(axes):
        begin, end, n = pads[i], pads[i + len(axes)], x.shape[axis]
        if mode == "constant":
            fill = 0 if value is None else value
            pairs = [0, 0] * (rank - 1 - axis) + [begin, end]
            inside = F.pad(torch.ones_like(x, dtype=torch.uint8), pairs).bool()
            x = torch.where(inside, F.pad(x, pairs), fill).to(x.dtype)
            continue
        at = torch.arange(-begin, n + end)
        if mode == "edge":
            at = at.clamp(0, n - 1)
        elif mode == "wrap":
            at = at % n
        else:
            at = (at % max(2 * n - 2, 1)).abs()
            at = torch.where(at >= n, 2 * n - 2 - at, at)
        x = x.index_select(axis, at)
    return x


def center_crop_pad(x, shape, axes):
    """CenterCropPad."""
    axes = list(range(x.dim())) if axes is None else axes
    for axis, wanted in zip(axes, shape):
        axis = axis + x.dim() if axis < 0 else axis
        n = x.shape[axis]
        if n > wanted:
            x = x.narrow(axis, (n - wanted) // 2, wanted)
        elif n < wanted:
            begin = (wanted - n) // 2
            x = F.pad(x, [0, 0] * (x.dim() - 1 - axis) + [begin, wanted - n - begin])
    return x


def depth_to_space(x, size):
    """DepthToSpace in mode DCR."""
    n, c, h, w = x.shape
    y = x.reshape(n, size, size, c // size**2, h, w).permute(0, 3, 4, 1, 5, 2)
    return y.reshape(n, c // size**2, h * size, w * size)


def space_to_depth(x, size):
    """SpaceToDepth."""
    n, c, h, w = x.shape
    y = x.reshape(n, c, h // size, size, w // size, size).permute(0, 3, 5, 1, 2, 4)
    return y.reshape(n, c * size**2, h // size, w // size)


def col2im(x, image, block, strides, pads, dilations):
    """Col2Im of two spatial dims."""
    n = len(image)
    if n != 2:
        raise NotImplementedError("not supported: Col2Im of other than two dims")
    pads = pads or [0] * (2 * n)
    whole = [s + pads[i] + pads[i + n] for i, s in enumerate(image)]
    y = F.fold(x, whole, block, dilations or 1, 0, strides or 1)
    for i in range(n):
        y = y.narrow(2 + i, pads[i], image[i])
    return y


def reverse_sequence(x, lengths, batch_axis, time_axis):
    """ReverseSequence: reverses the first elements of each batch."""
    if x.numel() == 0:
        return x.clone()
    parts = []
    for b, part in enumerate(x.unbind(batch_axis)):
        axis = time_axis - (time_axis > batch_axis)
        n = int(lengths[b])
        head = part.narrow(axis, 0, n).flip(axis)
        parts.append(torch.cat([head, part.narrow(axis, n, part.shape[axis] - n)], axis))
    return torch.stack(parts, batch_axis)


def cross_entropy(x, target, weight, ignore_index, reduction):
    """SoftmaxCrossEntropyLoss and the log-probabilities."""
    log = F.log_softmax(x, 1)
    loss = F.nll_loss(log, target.long(), weight, ignore_index=ignore_index, reduction=reduction)
    return loss, log


def along(x, scale, axis):
    """A scale of one dim, shaped to broadcast along the axis."""
    if scale is None or scale.dim() != 1 or scale.numel() == 1:
        return scale
    return scale.reshape([-1 if i == axis % x.dim() else 1 for i in range(x.dim())])


def quantize(x, scale, zero, axis, dtype):
    """QuantizeLinear to integers: round to even, add the zero point, saturate."""
    scale, zero = along(x, scale, axis), along(x, zero, axis)
    y = torch.round(x / scale)
    if dtype.is_floating_point:
        return cast_float8(x / scale, dtype)
    y = y.to(torch.float64) + (0 if zero is None else zero.double())
    return y.clamp(torch.iinfo(dtype).min, torch.iinfo(dtype).max).to(dtype)


def dequantize(x, scale, zero, axis):
    """DequantizeLinear."""
    scale, zero = along(x, scale, axis), along(x, zero, axis)
    if zero is None or x.dtype.is_floating_point:
        return x.to(scale.dtype) * scale
    return (x.long() - zero.long()).to(scale.dtype) * scale


def quantize_blocks(x, scale, zero, axis, block, dtype):
    """QuantizeLinear with one scale per block of the axis."""
    n = x.shape[axis]
    scale = scale.repeat_interleave(block, axis).narrow(axis, 0, n)
    if zero is not None:
        zero = zero.repeat_interleave(block, axis).narrow(axis, 0, n)
    return quantize(x, scale, zero, axis, dtype)


def dequantize_blocks(x, scale, zero, axis, block):
    """DequantizeLinear with one scale per block of the axis."""
    n = x.shape[axis]
    scale = scale.repeat_interleave(block, axis).narrow(axis, 0, n)
    if zero is not None:
        zero = zero.repeat_interleave(block, axis).narrow(axis, 0, n)
    return dequantize(x, scale, zero, axis)


def dynamic_quantize(x):
    """DynamicQuantizeLinear to uint8."""
    low, high = x.min().clamp(max=0), x.max().clamp(min=0)
    scale = (high - low) / 255
    zero = torch.round((0 - low) / scale).clamp(0, 255).to(torch.uint8)
    return quantize(x, scale, zero, 1, torch.uint8), scale, zero


def less_zero(x, zero, axis):
    """An integer tensor minus its zero point, as exact doubles."""
    if zero is None:
        return x.double()
    if zero.dim() == 1 and zero.numel() > 1:
        zero = zero.reshape([-1 if i == axis % x.dim() else 1 for i in range(x.dim())])
    return x.double() - zero.double()


def matmul_integer(a, b, a_zero=None, b_zero=None):
    """MatMulInteger: exact in doubles, kept in int32."""
    if a_zero is not None and a_zero.dim() == 1 and a.dim() > 1:
        a_zero = a_zero.unsqueeze(-1)
    return torch.matmul(less_zero(a, a_zero, -2), less_zero(b, b_zero, -1)).long().to(torch.int32)


def conv_integer(x, w, x_zero, w_zero, strides, pads, dilations, group, auto_pad):
    """ConvInteger: exact in doubles, kept in int32."""
    x, w = less_zero(x, x_zero, 1), less_zero(w, w_zero, 0)
    return conv(x, w, None, strides, pads, dilations, group, auto_pad).long().to(torch.int32)


def requantize(y, scale, y_scale, y_zero, axis):
    """An integer result, scaled and rounded to the output's scale."""
    y = torch.round(y * scale.double() / y_scale.double()) + y_zero.double()
    kind = torch.iinfo(y_zero.dtype)
    return y.clamp(kind.min, kind.max).to(y_zero.dtype)


def qlinear_matmul(a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero):
    """QLinearMatMul."""
    y = torch.matmul(less_zero(a, a_zero, -2), less_zero(b, b_zero, -1))
    return requantize(y, a_scale.double() * b_scale.double(), y_scale, y_zero, -1)


def qlinear_conv(
    x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, b=None, strides=None, pads=None, dilations=None, group=1, auto_pad="NOTSET"
):
    """QLinearConv."""
    b = None if b is None else b.double()
    y = conv(less_zero(x, x_zero, 1), less_zero(w, w_zero, 0), b, strides, pads, dilations, group, auto_pad)
    scale = x_scale.double() * along(y, w_scale, 1).double()
    return requantize(y, scale, y_scale, y_zero, 1)


def rotary(x, cos, sin, position, interleaved, dim, heads):
    """RotaryEmbedding."""
    shape = x.shape
    if x.dim() == 3:
        x = x.reshape(shape[0], shape[1], heads, -1).transpose(1, 2)
    if position is not None:
        cos, sin = cos[position], sin[position]
    dim = dim or x.shape[-1]
    cos, sin = cos[..., : dim // 2].unsqueeze(1), sin[..., : dim // 2].unsqueeze(1)
    head, rest = x[..., :dim], x[..., dim:]
    if interleaved:
        a, b = head[..., 0::2], head[..., 1::2]
        y = torch.stack([a * cos - b * sin, a * sin + b * cos], -1).flatten(-2)
    else:
        a, b = head.chunk(2, -1)
        y = torch.cat([a * cos - b * sin, a * sin + b * cos], -1)
    y = torch.cat([y, rest], -1)
    return y.transpose(1, 2).reshape(shape) if len(shape) == 3 else y


def attention(q, k, v, mask, is_causal, scale):
    """Attention on four dims by the fused function; several query heads may share a key head."""
    groups = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1)
    if is_causal:
        causal = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool).tril()
        if mask is None:
            mask = causal
        elif mask.dtype == torch.bool:
            mask = mask & causal
        else:
            mask = mask.masked_fill(~causal, -torch.inf)
    return F.scaled_dot_product_attention(q, k, v, mask, scale=scale)


def recur(x, parts, start, step, lengths):
    """Runs a cell over time in each direction; outputs [time, direction, batch, hidden]."""
    outputs, finals = [], []
    for d, back in parts:
        state = start(d)
        rows = []
        for t in reversed(range(x.shape[0])) if back else range(x.shape[0]):
            new = step(d, x[t], state)
            if lengths is not None:
                alive = (t < lengths).reshape(-1, 1)
                row = torch.where(alive, new[0], torch.zeros_like(new[0]))
                new = [torch.where(alive, n, s) for n, s in zip(new, state)]
            else:
                row = new[0]
            rows.append(row)
            state = new
        rows = rows[::-1] if back else rows
        outputs.append(torch.stack(rows) if rows else torch.zeros(0, *state[0].shape, dtype=x.dtype))
        finals.append(state)
    return torch.stack(outputs, 1), [torch.stack(f) for f in zip(*finals)]


def plain_cell(activations, clip, layout, allowed):
    """Refuses what is not implemented: other activations, clipping, batch first."""
    if clip is not None or layout or (activations and activations != (allowed * 2)[: len(activations)]):
        raise NotImplementedError("not supported: activations, clip or layout of a recurrent operator")


def lstm(x, w, r, b, lengths, h, c, p, direction, activations, clip, input_forget, layout):
    """LSTM: gates i, o, f, c; peepholes i, o, f."""
    plain_cell(activations, clip, layout, ["Sigmoid", "Tanh", "Tanh"])
    n = r.shape[-1]
    zero = torch.zeros(w.shape[0], x.shape[1], n, dtype=x.dtype)
    h, c = zero if h is None else h, zero if c is None else c
    b = torch.zeros(w.shape[0], 8 * n, dtype=x.dtype) if b is None else b
    p = torch.zeros(w.shape[0], 3 * n, dtype=x.dtype) if p is None else p

    def step(d, xt, state):
        hidden, cell = state
        gates = xt @ w[d].t() + hidden @ r[d].t() + b[d, : 4 * n] + b[d, 4 * n :]
        i, o, f, g = gates.chunk(4, -1)
        pi, po, pf = p[d].chunk(3)
        i = torch.sigmoid(i + pi * cell)
        f = 1 - i if input_forget else torch.sigmoid(f + pf * cell)
        cell = f * cell + i * torch.tanh(g)
        return [torch.sigmoid(o + po * cell) * torch.tanh(cell), cell]

    y, (last_h, last_c) = recur(x, directions(w, direction), lambda d: [h[d], c[d]], step, lengths)
    return y, last_h, last_c


def gru(x, w, r, b, lengths, h, direction, linear_before_reset, activations, clip, layout):
    """GRU: gates z, r, h."""
    plain_cell(activations, clip, layout, ["Sigmoid", "Tanh"])
    n = r.shape[-1]
    h = torch.zeros(w.shape[0], x.shape[1], n, dtype=x.dtype) if h is None else h
    b = torch.zeros(w.shape[0], 6 * n, dtype=x.dtype) if b is None else b

    def step(d, xt, state):
        (hidden,) = state
        wb, rb = b[d, : 3 * n], b[d, 3 * n :]
        xz, xr, xh = (xt @ w[d].t() + wb).chunk(3, -1)
        rz, rr, rh = r[d].chunk(3)
        z = torch.sigmoid(xz + hidden @ rz.t() + rb[:n])
        reset = torch.sigmoid(xr + hidden @ rr.t() + rb[n : 2 * n])
        if linear_before_reset:
            new = torch.tanh(xh + reset * (hidden @ rh.t() + rb[2 * n :]))
        else:
            new = torch.tanh(xh + (reset * hidden) @ rh.t() + rb[2 * n :])
        return [(1 - z) * new + z * hidden]

    y, (last,) = recur(x, directions(w, direction), lambda d: [h[d]], step, lengths)
    return y, last


def rnn(x, w, r, b, lengths, h, direction, activations, clip, layout):
    """RNN."""
    plain_cell(activations, clip, layout, ["Tanh"])
    n = r.shape[-1]
    h = torch.zeros(w.shape[0], x.shape[1], n, dtype=x.dtype) if h is None else h
    b = torch.zeros(w.shape[0], 2 * n, dtype=x.dtype) if b is None else b

    def step(d, xt, state):
        (hidden,) = state
        return [torch.tanh(xt @ w[d].t() + hidden @ r[d].t() + b[d, :n] + b[d, n:])]

    y, (last,) = recur(x, directions(w, direction), lambda d: [h[d]], step, lengths)
    return y, last
