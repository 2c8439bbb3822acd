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


def _draw(make, shape):
    """A random tensor; where the source's are recorded, the next of those."""
    value = next(_drawn, None)
    return make(shape) if value is None else torch.from_numpy(np.array(value))


def _tensor(x, dtype=None, shape=None, name=None):
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
    make = lambda s: (torch.randn(s) * stddev + mean).to(dtype or torch.float32)  # noqa: E731
    return _draw(make, _shape(shape))


def _uniform(shape, minval=0, maxval=None, dtype=None, seed=None, name=None):
    dtype, high = dtype or torch.float32, 1 if maxval is None else maxval
    if dtype.is_floating_point:
        make = lambda s: (torch.rand(s) * (high - minval) + minval).to(dtype)  # noqa: E731
    else:
        make = lambda s: torch.randint(minval, high, s, dtype=dtype)  # noqa: E731
    return _draw(make, _shape(shape))


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


def _sum(x, axis=None, keepdims=False, name=None):
    return _reduced(lambda x, d, k: torch.sum(x, d, k, dtype=x.dtype), x, axis, keepdims)


def _mean(x, axis=None, keepdims=False, name=None):
    return _reduced(torch.mean, x, axis, keepdims)


def _amax(x, axis=None, keepdims=False, name=None):
    return _reduced(torch.amax, x, axis, keepdims)


def _amin(x, axis=None, keepdims=False, name=None):
    return _reduced(torch.amin, x, axis, keepdims)


def _prod(x, axis=None, keepdims=False, name=None):
    x = _tensor(x)
    for d in sorted(range(x.ndim) if axis is None else np.atleast_1d(axis) % x.ndim, reverse=True):
        x = torch.prod(x, int(d), keepdim=keepdims, dtype=x.dtype)
    return x


def _argument(find, x, axis=0, output_type=torch.int64, name=None):
    return find(_tensor(x), dim=axis).to(output_type)


def _top_k(x, k=1, sorted=True, index_type=torch.int32, name=None):
    return torch.topk(_tensor(x), k, dim=-1, sorted=sorted)


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


def _gathered(params, indices, axis=0, name=None, **_):
    index = _tensor(indices).long()
    picked = torch.index_select(_tensor(params), axis, index.reshape(-1))
    shape = params.shape[:axis] + index.shape + params.shape[axis + 1 :]
    return picked.reshape(shape)


def _same_ends(size, kernel, stride, dilation):
    """Padding of SAME: more at the end."""
    total = max((-(-size // stride) - 1) * stride + (kernel - 1) * dilation + 1 - size, 0)
    return total // 2, total - total // 2


def _spatial(v, n):
    """Strides and sizes of TensorFlow may have the dimensions of examples and channels too."""
    v = [int(d) for d in v] if hasattr(v, "__len__") else [int(v)] * n
    return v[1:-1] if len(v) == n + 2 else v * n if len(v) == 1 else v


def _padded(x, n, padding, kernel, stride, dilation, value=0.0):
    if padding.upper() == "VALID":
        return x
    ends = [_same_ends(*row) for row in zip(x.shape[-n:], kernel, stride, dilation)]
    return torch.nn.functional.pad(x, [p for row in reversed(ends) for p in row], value=value)


def _conv(n, x, filters, strides=1, padding="VALID", data_format=None, dilations=1, groups=1):
    convs = torch.nn.functional.conv1d, torch.nn.functional.conv2d, torch.nn.functional.conv3d
    x, w = _nchw(_tensor(x)), _oihw(_tensor(filters))
    stride, dilation = _spatial(strides, n), _spatial(dilations or 1, n)
    x = _padded(x, n, padding, w.shape[2:], stride, dilation)
    return _nhwc(convs[n - 1](x, w, None, stride, 0, dilation, groups))


def _depthwise(x, filter, strides, padding, data_format=None, dilations=1, name=None):
    h, w, c, m = filter.shape
    weight = _tensor(filter).reshape(h, w, 1, c * m)
    return _conv(2, x, weight, strides, padding, None, dilations, c)


def _pool(pools, n, x, ksize, strides, padding, value=0.0):
    kernel, stride = _spatial(ksize, n), _spatial(strides, n)
    x = _padded(_nchw(_tensor(x)), n, padding, kernel, stride, [1] * n, value)
    return _nhwc(pools[n - 1](x, kernel, stride))


def _max_pool(n, x, ksize, strides, padding, data_format=None, name=None):
    f = torch.nn.functional
    pools = f.max_pool1d, f.max_pool2d, f.max_pool3d
    return _pool(pools, n, x, ksize, strides, padding, float("-inf"))


def _avg_pool(n, x, ksize, strides, padding, data_format=None, name=None):
    f = torch.nn.functional
    if padding.upper() == "SAME":
        ones = torch.ones_like(_tensor(x))
        pools = f.avg_pool1d, f.avg_pool2d, f.avg_pool3d
        return _pool(pools, n, x, ksize, strides, padding) / _pool(
            pools, n, ones, ksize, strides, padding
        )
    return _pool((f.avg_pool1d, f.avg_pool2d, f.avg_pool3d), n, x, ksize, strides, padding)


def _depth_to_space(x, block_size, data_format=None, name=None):
    n, h, w, c = x.shape
    x = x.reshape(n, h, w, block_size, block_size, c // block_size**2)
    return x.permute(0, 1, 3, 2, 4, 5).reshape(n, h * block_size, w * block_size, -1)


def _resized(images, size, method="bilinear", antialias=False, **_):
    mode = {"nearest": "nearest-exact"}.get(method, method)
    y = torch.nn.functional.interpolate(_nchw(images), size=_shape(size), mode=mode)
    return _nhwc(y)


def _repeated(input, repeats, axis=None, name=None):
    repeats = repeats if isinstance(repeats, int) else _tensor(repeats).long()
    return torch.repeat_interleave(_tensor(input), repeats, dim=axis)


def _scatter_nd(indices, updates, shape, name=None):
    updates = _tensor(updates)
    where = tuple(_tensor(indices).long().movedim(-1, 0))
    return torch.zeros(_shape(shape), dtype=updates.dtype).index_put(
        where, updates, accumulate=True
    )


def _svd(tensor, full_matrices=False, compute_uv=True, name=None):
    if not compute_uv:
        return torch.linalg.svdvals(_tensor(tensor))
    u, s, v = torch.linalg.svd(_tensor(tensor), full_matrices=full_matrices)
    return s, u, v.mH


def _reciprocal(x, name=None):
    return torch.reciprocal(_tensor(x))


def _near(x, y, rtol=None, atol=None, message=None, **_):
    x, y = _tensor(x), _tensor(y)
    eps = 10 * torch.finfo(x.dtype).eps
    torch.testing.assert_close(
        x, y, rtol=eps if rtol is None else rtol, atol=eps if atol is None else atol
    )
