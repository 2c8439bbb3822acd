# Helpers of programs that are translated to PyTorch from TensorFlow: layouts, tensors, layers.

import contextlib
import functools  # noqa: F401 - rows that are passed as values

import numpy as np
import torch


def _shape(x):
    return tuple(int(d) for d in x) if hasattr(x, "__len__") else (int(x),)


def _nhwc(x):
    return torch.movedim(x, 1, -1)


def _nchw(x):
    return torch.movedim(x, -1, 1)


def _oihw(x):
    """The weights of a convolution."""
    return torch.movedim(x, (-1, -2), (0, 1))


_drawn = iter(globals().get("RECORDED", ()))


def _draw(make, shape, dtype):
    """A random tensor; where the source's are recorded, the next of those."""
    value = next(_drawn, None)
    return make(shape) if value is None else torch.from_numpy(np.array(value)).to(dtype)


def _tensor(value, dtype=None, shape=None, name=None):
    x = value
    if isinstance(x, torch.Tensor):
        y = x
    elif isinstance(x, (list, tuple)) and any(isinstance(v, torch.Tensor) for v in x):
        y = torch.stack([_tensor(v) for v in x])
    else:
        made_of_numbers = not isinstance(x, (np.ndarray, np.generic))
        array = np.asarray(x)
        kinds = {"f": torch.float32, "i": torch.int32, "c": torch.complex128}
        dtype = dtype or (kinds.get(array.dtype.kind) if made_of_numbers else None)
        y = torch.from_numpy(np.array(array))
    y = y if dtype is None else y.to(dtype)
    return (
        y
        if shape is None
        else y.expand(_shape(shape))
        if y.numel() == 1
        else y.reshape(_shape(shape))
    )


def _normal(shape, mean=0.0, stddev=1.0, dtype=None, seed=None, name=None):
    dtype = dtype or torch.float32
    make = lambda s: torch.randn(s, dtype=dtype) * stddev + mean  # noqa: E731
    return _draw(make, _shape(shape), dtype)


def _uniform(shape, minval=0, maxval=None, dtype=None, seed=None, name=None):
    dtype, high = dtype or torch.float32, 1 if maxval is None else maxval
    if dtype.is_floating_point:
        make = lambda s: (torch.rand(s) * (high - minval) + minval).to(dtype)  # noqa: E731
    else:
        make = lambda s: torch.randint(minval, high, s, dtype=dtype)  # noqa: E731
    return _draw(make, _shape(shape), dtype)


def _zeros(shape, dtype=None, name=None):
    return torch.zeros(_shape(shape), dtype=dtype or torch.float32)


def _ones(shape, dtype=None, name=None):
    return torch.ones(_shape(shape), dtype=dtype or torch.float32)


def _fill(dims, value, name=None):
    value = _tensor(value)
    return torch.full(_shape(dims), value.item(), dtype=value.dtype)


def _range(start, limit=None, delta=1, dtype=None, name=None):
    ends = (0, start) if limit is None else (start, limit)
    whole = all(isinstance(v, int) for v in (*ends, delta))
    return torch.arange(*ends, delta, dtype=dtype or (torch.int32 if whole else torch.float32))


def _compiled(f=None, *_, **__):
    if f is None:
        return _compiled
    return torch.compile(f)


def _unless_given(dim):
    return None if dim is None else _shape(dim) if hasattr(dim, "__len__") else int(dim)


def _reduced(f, x, axis=None, keepdims=False, name=None):
    x, axis = _tensor(x), _unless_given(axis)
    if axis is None:
        axis = tuple(range(x.ndim))
    return f(x, axis, keepdims)


def _sum(input_tensor, axis=None, keepdims=False, name=None):
    return _reduced(lambda x, d, k: torch.sum(x, d, k, dtype=x.dtype), input_tensor, axis, keepdims)


def _mean(input_tensor, axis=None, keepdims=False, name=None):
    """The mean of integers is an integer."""
    x = _tensor(input_tensor)
    if x.dtype.is_floating_point or x.dtype.is_complex:
        return _reduced(torch.mean, x, axis, keepdims)
    total = _sum(x, axis, keepdims)
    n = x.numel() // max(total.numel(), 1)
    return torch.div(total, n, rounding_mode="trunc")


def _amax(input_tensor, axis=None, keepdims=False, name=None):
    return _reduced(torch.amax, input_tensor, axis, keepdims)


def _amin(input_tensor, axis=None, keepdims=False, name=None):
    return _reduced(torch.amin, input_tensor, axis, keepdims)


def _prod(input_tensor, axis=None, keepdims=False, name=None):
    x = _tensor(input_tensor)
    for d in sorted(range(x.ndim) if axis is None else np.atleast_1d(axis) % x.ndim, reverse=True):
        x = torch.prod(x, int(d), keepdim=keepdims, dtype=x.dtype)
    return x


def _argument(find, input, axis=0, output_type=torch.int64, name=None):
    return find(_tensor(input), dim=axis).to(output_type)


def _top_k(input, k=1, sorted=True, index_type=torch.int32, name=None):
    return torch.topk(_tensor(input), k, dim=-1, sorted=sorted)


def _concat(values, axis=0, name=None):
    return torch.cat([_tensor(v) for v in values], axis)


def _stack(values, axis=0, name=None):
    return torch.stack([_tensor(v) for v in values], axis)


def _split(value, num_or_size_splits, axis=0, name=None):
    n = num_or_size_splits
    size = value.shape[axis] // n if isinstance(n, int) else [int(s) for s in n]
    return torch.split(value, size, axis)


def _transposed(a, perm=None, conjugate=False, name=None):
    a = _tensor(a)
    return a.permute(*(reversed(range(a.ndim)) if perm is None else _shape(perm)))


def _matmul(
    a, b, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False, name=None, **_
):
    a, b = _tensor(a), _tensor(b)
    a = a.mT if transpose_a else a.mH if adjoint_a else a
    b = b.mT if transpose_b else b.mH if adjoint_b else b
    return torch.matmul(a, b)


def _gathered(params, indices, validate_indices=None, axis=None, batch_dims=0, name=None):
    if batch_dims:
        raise NotImplementedError("batch_dims")
    params, index, axis = _tensor(params), _tensor(indices).long(), int(axis or 0) % params.ndim
    picked = torch.index_select(params, axis, index.reshape(-1))
    return picked.reshape(params.shape[:axis] + index.shape + params.shape[axis + 1 :])


def _same_ends(size, kernel, stride, dilation):
    """Padding of SAME: more at the end."""
    total = max((-(-size // stride) - 1) * stride + (kernel - 1) * dilation + 1 - size, 0)
    return total // 2, total - total // 2


def _channels_first(data_format):
    return str(data_format or "").lower().startswith(("nc", "channels_first"))


def _to_nchw(x, data_format=None):
    return _tensor(x) if _channels_first(data_format) else _nchw(_tensor(x))


def _from_nchw(y, data_format=None):
    return y if _channels_first(data_format) else _nhwc(y)


def _spatial(v, n, data_format=None):
    """Strides and sizes of TensorFlow may have the dimensions of examples and channels too."""
    v = [int(d) for d in v] if hasattr(v, "__len__") else [int(v)] * n
    if len(v) != n + 2:
        return v * n if len(v) == 1 else v
    channels, spatial = (v[1], v[2:]) if _channels_first(data_format) else (v[-1], v[1:-1])
    if (v[0], channels) != (1, 1):
        raise NotImplementedError("windows over examples or channels")
    return spatial


def _ends(x, n, padding, kernel, stride, dilation, data_format=None):
    """What is padded before and after each spatial dimension; rows that are given: those."""
    if isinstance(padding, (list, tuple)):
        rows = np.reshape(padding, (-1, 2)).tolist()
        return (rows[2:] if _channels_first(data_format) else rows[1:-1]) if len(rows) > n else rows
    if padding.upper() == "SAME":
        return [_same_ends(*row) for row in zip(x.shape[-n:], kernel, stride, dilation)]
    if padding.upper() != "VALID":
        raise ValueError(f"padding {padding}")
    return [(0, 0)] * n


def _padded(x, n, padding, kernel, stride, dilation, value=0.0, data_format=None):
    ends = _ends(x, n, padding, kernel, stride, dilation, data_format)
    if not any(p for row in ends for p in row):
        return x
    return torch.nn.functional.pad(x, [p for row in reversed(ends) for p in row], value=value)


def _conv(
    n,
    input,
    filters,
    strides=1,
    padding="VALID",
    data_format=None,
    dilations=None,
    name=None,
    explicit=(),
):
    """Filters with fewer channels than the input make groups."""
    convs = torch.nn.functional.conv1d, torch.nn.functional.conv2d, torch.nn.functional.conv3d
    n = n or _tensor(filters).ndim - 2
    x, w = _to_nchw(input, data_format), _oihw(_tensor(filters))
    if x.ndim != n + 2 or w.ndim != n + 2:
        raise ValueError(f"input and filters must have {n + 2} dimensions")
    stride = _spatial(strides, n, data_format)
    dilation = _spatial(1 if dilations is None else dilations, n, data_format)
    padding = explicit or padding
    x = _padded(x, n, padding, w.shape[2:], stride, dilation, data_format=data_format)
    groups = max(x.shape[1] // max(w.shape[1], 1), 1)
    return _from_nchw(convs[n - 1](x, w, None, stride, 0, dilation, groups), data_format)


def _depthwise(
    input, filter, strides, padding, data_format=None, dilations=None, name=None, explicit=()
):
    w = _tensor(filter)
    h, w_, c, m = w.shape
    if _to_nchw(input, data_format).shape[1] != c:
        raise ValueError("input and filter must have the same number of channels")
    weight = w.reshape(h, w_, 1, c * m)
    return _conv(2, input, weight, strides, padding, data_format, dilations, explicit=explicit)


def _pool(pools, n, x, ksize, strides, padding, data_format=None, value=0.0):
    n = n or _tensor(x).ndim - 2
    kernel, stride = _spatial(ksize, n, data_format), _spatial(strides, n, data_format)
    x = _to_nchw(x, data_format)
    x = _padded(x, n, padding, kernel, stride, [1] * n, value, data_format)
    return _from_nchw(pools[n - 1](x, kernel, stride), data_format)


def _max_pool(n, input, ksize, strides, padding, data_format=None, name=None, explicit=()):
    f = torch.nn.functional
    pools = f.max_pool1d, f.max_pool2d, f.max_pool3d
    padding = explicit or padding
    return _pool(pools, n, input, ksize, strides, padding, data_format, float("-inf"))


def _avg_pool(n, input, ksize, strides, padding, data_format=None, name=None):
    """What is padded is not averaged."""
    f = torch.nn.functional
    pools = f.avg_pool1d, f.avg_pool2d, f.avg_pool3d
    y = _pool(pools, n, input, ksize, strides, padding, data_format)
    if isinstance(padding, str) and padding.upper() == "VALID":
        return y
    ones = torch.ones_like(_tensor(input))
    return y / _pool(pools, n, ones, ksize, strides, padding, data_format)


def _depth_to_space(input, block_size, data_format=None, name=None):
    x = _nhwc(_to_nchw(input, data_format))
    n, h, w, c = x.shape
    x = x.reshape(n, h, w, block_size, block_size, c // block_size**2)
    x = x.permute(0, 1, 3, 2, 4, 5).reshape(n, h * block_size, w * block_size, -1)
    return _nchw(x) if _channels_first(data_format) else x


def _resized(
    images, size, method="bilinear", preserve_aspect_ratio=False, antialias=False, name=None
):
    if preserve_aspect_ratio:
        raise NotImplementedError("preserve_aspect_ratio")
    x, mode = _tensor(images), {"nearest": "nearest-exact"}.get(method, method)
    if x.ndim not in (3, 4):
        raise ValueError("images must have 3 or 4 dimensions")
    x = _nchw(x if x.ndim == 4 else x.unsqueeze(0))
    x = x if method == "nearest" else x.float()
    y = torch.nn.functional.interpolate(x, size=_shape(size), mode=mode, antialias=antialias)
    return _nhwc(y) if len(images.shape) == 4 else _nhwc(y)[0]


def _repeated(input, repeats, axis=None, name=None):
    repeats = repeats if isinstance(repeats, int) else _tensor(repeats).long()
    return torch.repeat_interleave(_tensor(input), repeats, dim=axis)


def _places(indices, shape, updates=None):
    """Indices of a tensor of that shape, one tensor a dimension; none counts from the end."""
    indices = _tensor(indices).long()
    if indices.numel() and indices.min() < 0:
        raise IndexError("negative index")
    if updates is not None:
        needed = (*indices.shape[:-1], *shape[indices.shape[-1] :])
        if tuple(updates.shape) != needed:
            raise ValueError(f"updates must have the shape {needed}")
    return tuple(indices.movedim(-1, 0))


def _scatter_nd(indices, updates, shape, name=None):
    updates, shape = _tensor(updates), _shape(shape)
    where = _places(indices, shape, updates)
    return torch.zeros(shape, dtype=updates.dtype).index_put(where, updates, accumulate=True)


def _svd(tensor, full_matrices=False, compute_uv=True, name=None):
    if not compute_uv:
        return torch.linalg.svdvals(_tensor(tensor))
    u, s, v = torch.linalg.svd(_tensor(tensor), full_matrices=full_matrices)
    return s, u, v.mH


def _least_squares(matrix, rhs, l2_regularizer=0.0, fast=True, name=None):
    if l2_regularizer:
        raise NotImplementedError("l2_regularizer")
    return torch.linalg.lstsq(_tensor(matrix), _tensor(rhs)).solution


def _reciprocal(x, name=None):
    return torch.reciprocal(_tensor(x))


def _near(x, y, rtol=None, atol=None, message=None, **_):
    x, y = _tensor(x), _tensor(y)
    eps = 10 * torch.finfo(x.dtype).eps
    torch.testing.assert_close(
        x, y, rtol=eps if rtol is None else rtol, atol=eps if atol is None else atol
    )
