# Helpers of programs that are translated to PyTorch from TensorFlow: functions whose arguments or rules differ.


def _all(input_tensor, axis=None, keepdims=False, name=None):
    return _reduced(torch.all, input_tensor, axis, keepdims)


def _any(input_tensor, axis=None, keepdims=False, name=None):
    return _reduced(torch.any, input_tensor, axis, keepdims)


def _std(input_tensor, axis=None, keepdims=False, name=None):
    return _reduced(
        lambda x, d, k: torch.std(x, d, correction=0, keepdim=k), input_tensor, axis, keepdims
    )


def _variance(input_tensor, axis=None, keepdims=False, name=None):
    return _reduced(
        lambda x, d, k: torch.var(x, d, correction=0, keepdim=k), input_tensor, axis, keepdims
    )


def _euclidean_norm(input_tensor, axis=None, keepdims=False, name=None):
    return _reduced(
        lambda x, d, k: torch.linalg.vector_norm(x, 2, d, k), input_tensor, axis, keepdims
    )


def _norm(tensor, ord="euclidean", axis=None, keepdims=False, name=None):
    """Of matrices where there are two axes, else of vectors."""
    if isinstance(axis, (list, tuple)) and len(axis) == 2:
        how = "fro" if ord == "euclidean" else ord
        return torch.linalg.matrix_norm(_tensor(tensor), how, tuple(axis), bool(keepdims))
    n = 2 if ord == "euclidean" else ord
    return _reduced(
        lambda x, d, k: torch.linalg.vector_norm(x, n, d, bool(k)), tensor, axis, keepdims
    )


def _cumulated(f, x, axis=0, exclusive=False, reverse=False, name=None):
    x = _tensor(x)
    y = torch.flip(x, (axis,)) if reverse else x
    y = f(y, axis).to(x.dtype)
    if exclusive:
        first = torch.full_like(y.narrow(axis, 0, 1), 1 if f is torch.cumprod else 0)
        y = torch.cat([first, y.narrow(axis, 0, y.shape[axis] - 1)], axis)
    return torch.flip(y, (axis,)) if reverse else y


def _flat_cumulated(f, a, axis=None, dtype=None):
    """As NumPy: without an axis of all elements, and of small integers as int64."""
    a = _tensor(a)
    return f(a.reshape(-1) if axis is None else a, int(axis or 0), dtype=dtype)


def _pad(tensor, paddings, mode="CONSTANT", constant_values=0, name=None):
    rows = [[int(v) for v in row] for row in paddings]
    pads = [v for row in reversed(rows) for v in row]
    x = _tensor(tensor)
    if len(rows) != x.ndim or any(len(row) != 2 for row in rows):
        raise ValueError("paddings must have one row of two for each dimension")
    if mode.upper() == "CONSTANT":
        return torch.nn.functional.pad(x, pads, value=constant_values)
    for d, (before, after) in enumerate(rows):
        x = _mirrored(x, d, before, after, mode.upper())
    return x


def _mirrored(x, d, before, after, mode):
    """Dimension d padded by its mirror image, with (SYMMETRIC) or without its first element."""
    n = x.shape[d] - (mode == "REFLECT")
    if min(before, after) < 0 or max(before, after) > n or mode not in ("REFLECT", "SYMMETRIC"):
        raise ValueError(f"cannot pad {x.shape[d]} elements with {before} and {after} in {mode}")
    if mode == "SYMMETRIC":
        at = torch.arange(x.shape[d])
        at = torch.cat([at[:before].flip(0), at, at[x.shape[d] - after :].flip(0)])
        return torch.index_select(x, d, at)
    if not before and not after:
        return x
    y = x.movedim(d, -1)
    rows = torch.nn.functional.pad(y.reshape(-1, y.shape[-1]), [before, after], mode="reflect")
    return rows.reshape(*y.shape[:-1], -1).movedim(-1, d)


def _gathered_nd(params, indices, batch_dims=0, name=None, **_):
    if batch_dims:
        raise NotImplementedError("batch_dims")
    params = _tensor(params)
    return params[_places(indices, params.shape)]


def _scattered(how, tensor, indices, updates, name=None):
    """tf.tensor_scatter_nd_*: the rows at the indices take the updates."""
    x, updates = torch.clone(_tensor(tensor)), _tensor(updates)
    where = _places(indices, x.shape, updates)
    if how in ("set", "add", "sub"):
        return x.index_put(where, -updates if how == "sub" else updates, accumulate=how != "set")
    flat = np.ravel_multi_index([w.numpy() for w in where], x.shape[: len(where)])
    rows = x.reshape(-1, *x.shape[len(where) :])
    updates = updates.reshape(-1, *rows.shape[1:])
    return rows.index_reduce(0, torch.from_numpy(flat.reshape(-1)), updates, how).reshape(x.shape)


def _least(dtype):
    return (torch.finfo if dtype.is_floating_point else torch.iinfo)(dtype).min


def _most(dtype):
    return (torch.finfo if dtype.is_floating_point else torch.iinfo)(dtype).max


def _is_sorted(ids):
    """May the ids number the segments of rows, in order and none negative?"""
    return ids.ndim == 1 and not (torch.diff(ids, prepend=ids[:1] * 0) < 0).any()


def _n_segments(ids, given):
    return _scalar(given) if given is not None else int(ids[-1]) + 1 if len(ids) else 0


def _segments(how, data, segment_ids, num_segments=None, name=None):
    """tf.math.segment_*, whose ids are sorted, and with num_segments unsorted_segment_*, which
    leaves out negative ids."""
    data, ids = _tensor(data), _tensor(segment_ids).long()
    if tuple(ids.shape) != tuple(data.shape[: ids.ndim]):
        raise ValueError("segment_ids must have the first dimensions of data")
    if num_segments is None and not _is_sorted(ids):
        raise ValueError("segment_ids must be sorted and not negative")
    empty = {"prod": 1}
    if num_segments is not None:
        empty = {"prod": 1, "amax": _least(data.dtype), "amin": _most(data.dtype)}
    n = _n_segments(ids, num_segments)
    out = torch.full((n, *data.shape[ids.ndim :]), empty.get(how, 0), dtype=data.dtype)
    data, ids = data.reshape(-1, *out.shape[1:]), ids.reshape(-1)
    data, ids = data[ids >= 0], ids[ids >= 0]
    if how == "sum":
        return out.index_add(0, ids, data)
    return out.index_reduce(0, ids, data, how, include_self=False)


def _scalar(x):
    """An integer that TensorFlow takes as a tensor without dimensions."""
    x = _tensor(x)
    if x.ndim:
        raise ValueError("a scalar is needed")
    return int(x)


def _sparse_segments(how, data, indices, segment_ids, num_segments=None, name=None):
    """tf.sparse.segment_*: sums of the rows of data at the indices; a segment without rows is 0."""
    ids = _tensor(segment_ids).long()
    picked = torch.index_select(_tensor(data), 0, _tensor(indices).long())
    if ids.shape != picked.shape[:1] or not _is_sorted(ids):
        raise ValueError("segment_ids must be sorted, not negative, and as many as indices")
    n = _n_segments(ids, num_segments)
    total = torch.zeros((n, *picked.shape[1:]), dtype=picked.dtype).index_add(0, ids, picked)
    if how == "sum":
        return total
    counts = torch.bincount(ids, minlength=n).clamp(min=1).to(total.dtype)
    counts = counts.reshape(-1, *[1] * (total.ndim - 1))
    return total / (torch.sqrt(counts) if how == "sqrt_n" else counts)


def _one_hot(indices, depth, on_value=1.0, off_value=0.0, axis=-1, dtype=None, name=None):
    places = _tensor(indices).long().unsqueeze(-1) == torch.arange(depth)
    y = torch.where(places, on_value, off_value).to(dtype or torch.float32)
    return y.movedim(-1, axis)


def _sliced(input_, begin, size, name=None):
    x = _tensor(input_)
    for d, (b, n) in enumerate(zip(_shape(begin), _shape(size))):
        x = x.narrow(d, b, x.shape[d] - b if n == -1 else n)
    return x


def _rolled(input, shift, axis, name=None):
    whole = lambda v: _shape(v) if hasattr(v, "__len__") else int(v)  # noqa: E731
    return torch.roll(_tensor(input), whole(shift), whole(axis))


def _squeezed(input, axis=None, name=None):
    x = _tensor(input)
    return torch.squeeze(x) if axis is None else torch.squeeze(x, _shape(axis))


def _clipped(t, clip_value_min, clip_value_max, name=None):
    x = _tensor(t)
    return torch.clamp(x, _tensor(clip_value_min).to(x.dtype), _tensor(clip_value_max).to(x.dtype))


def _normalized(x, axis=-1, epsilon=1e-12, name=None):
    x = _tensor(x)
    return x * torch.rsqrt(torch.clamp(torch.sum(x * x, axis, keepdim=True), min=epsilon))


def _batch_normalized(x, mean, variance, offset, scale, variance_epsilon, name=None):
    y = (_tensor(x) - mean) * torch.rsqrt(_tensor(variance) + variance_epsilon)
    y = y if scale is None else y * scale
    return y if offset is None else y + offset


def _fused_norm(
    x, scale, offset, mean, variance, epsilon=1e-3, is_training=True, data_format=None
):
    x = _nhwc(_to_nchw(x, data_format))
    if is_training:
        dims = tuple(range(x.ndim - 1))
        mean, variance = torch.mean(x, dims), torch.var(x, dims, correction=0)
    y = _batch_normalized(x, mean, variance, offset, scale, epsilon)
    if is_training:  # the variance that is returned is that of a sample
        variance = torch.var(x, dims, correction=1)
    return _nchw(y) if _channels_first(data_format) else y, _tensor(mean), _tensor(variance)


def _conv_transposed(
    n,
    input,
    filters,
    output_shape,
    strides,
    padding="SAME",
    data_format=None,
    dilations=None,
    name=None,
):
    f = torch.nn.functional
    convs = f.conv_transpose1d, f.conv_transpose2d, f.conv_transpose3d
    w, stride = _tensor(filters), _spatial(strides, n, data_format)
    dilation = _spatial(1 if dilations is None else dilations, n, data_format)
    x, sizes = _to_nchw(input, data_format), [int(d) for d in output_shape]
    sizes = sizes if len(sizes) == n else sizes[2:] if _channels_first(data_format) else sizes[1:-1]
    for given, size, k, s, d in zip(x.shape[2:], sizes, w.shape, stride, dilation):
        full = size if padding.upper() == "SAME" else size - (k - 1) * d
        if given != -(-full // s):
            raise ValueError(f"an input of {given} makes no output of {size}")
    weight = torch.movedim(w, (-1, -2), (0, 1))
    y = convs[n - 1](x, weight, None, stride, 0, 0, 1, dilation)
    for d, size in enumerate(sizes, 2):
        over = y.shape[d] - size if padding.upper() == "SAME" else 0
        y = y.narrow(d, over // 2, y.shape[d] - over) if over > 0 else y
        lacks = size - y.shape[d]
        y = f.pad(y, [0, 0] * (y.ndim - 1 - d) + [0, lacks]) if lacks > 0 else y
    return _from_nchw(y, data_format)


def _cross_entropy(labels=None, logits=None, axis=-1, name=None):
    return -torch.sum(_tensor(labels) * torch.log_softmax(_tensor(logits), axis), axis)


def _sparse_cross_entropy(labels=None, logits=None, name=None):
    logits = _tensor(logits)
    y = torch.nn.functional.cross_entropy(
        logits.reshape(-1, logits.shape[-1]), _tensor(labels).long().reshape(-1), reduction="none"
    )
    return y.reshape(logits.shape[:-1])


def _bce_logits(labels=None, logits=None, name=None):
    return torch.nn.functional.binary_cross_entropy_with_logits(
        _tensor(logits), _tensor(labels), reduction="none"
    )


def _local_norm(input, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, name=None):
    n = 2 * depth_radius + 1  # PyTorch divides alpha by the size of the window
    norm = torch.nn.functional.local_response_norm
    return _nhwc(norm(_nchw(_tensor(input)), n, alpha * n, beta, bias))


def _space_to_depth(input, block_size, data_format=None, name=None):
    x = _nhwc(_to_nchw(input, data_format))
    n, h, w, c = x.shape
    x = x.reshape(n, h // block_size, block_size, w // block_size, block_size, c)
    x = x.permute(0, 1, 3, 2, 4, 5).reshape(n, h // block_size, w // block_size, -1)
    return _nchw(x) if _channels_first(data_format) else x


def _quotient(x, y, name=None):
    x, y = _tensor(x), _tensor(y)
    return torch.where(y == 0, torch.zeros_like(x), x / y)


def _divided_where(x, y, name=None):
    """0 where x is 0, also for y = 0."""
    x, y = _tensor(x), _tensor(y)
    return torch.where(x == 0, torch.zeros_like(x / y), x / y)


def _product(x, y, name=None):
    """0 where y is 0, also for an infinite x."""
    x, y = _tensor(x), _tensor(y)
    return torch.where(y == 0, torch.zeros_like(x * y), x * y)


def _band(input, num_lower, num_upper, name=None):
    x, lower, upper = _tensor(input), int(num_lower), int(num_upper)
    x = x if lower < 0 else torch.triu(x, -lower)
    return x if upper < 0 else torch.tril(x, upper)


def _assigned(x, value):
    x.data = _tensor(value).to(x.dtype)
    return x


def _variable(value, dtype=None, trainable=True, **_):
    x = torch.clone(_tensor(value, dtype)).detach()
    return x.requires_grad_(trainable and x.dtype.is_floating_point)


class _Tape:
    """tf.GradientTape: what it watches requires a gradient, and later calls are recorded by themselves."""

    def __init__(self, persistent=False, watch_accessed_variables=True):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def watch(self, x):
        for v in x if isinstance(x, (list, tuple)) else [x]:
            v.requires_grad_()

    def gradient(self, target, sources, output_gradients=None, **_):
        several = isinstance(sources, (list, tuple))
        given = torch.ones_like(target) if output_gradients is None else output_gradients
        found = torch.autograd.grad(
            target, sources if several else [sources], given, retain_graph=True, allow_unused=True
        )
        return list(found) if several else found[0]


class _Accumulator:
    """tf.autodiff.ForwardAccumulator: the derivative of what is computed from the primals, by the
    gradient of a gradient."""

    def __init__(self, primals, tangents):
        several = isinstance(primals, (list, tuple))
        self.primals = list(primals) if several else [primals]
        self.tangents = [_tensor(t) for t in (tangents if several else [tangents])]
        for x, t in zip(self.primals, self.tangents):
            if x.shape != t.shape:
                raise ValueError("a tangent must have the shape of its primal")

    def __enter__(self):
        for x in self.primals:
            x.requires_grad_()
        return self

    def __exit__(self, *_):
        return None

    def jvp(self, primals, unconnected_gradients=None):
        if not primals.requires_grad:
            return None
        cotangent = torch.zeros_like(primals).requires_grad_()
        grads = torch.autograd.grad(
            primals, self.primals, cotangent, create_graph=True, allow_unused=True
        )
        pairs = [(g, t) for g, t in zip(grads, self.tangents) if g is not None]
        return torch.autograd.grad([g for g, _ in pairs], cotangent, [t for _, t in pairs])[0]
