# Helpers of programs that are translated to PyTorch from TensorFlow: functions whose arguments or rules differ.


def _all(x, axis=None, keepdims=False, name=None):
    return _reduced(torch.all, x, axis, keepdims)


def _any(x, axis=None, keepdims=False, name=None):
    return _reduced(torch.any, x, axis, keepdims)


def _std(x, axis=None, keepdims=False, name=None):
    return _reduced(lambda x, d, k: torch.std(x, d, correction=0, keepdim=k), x, axis, keepdims)


def _variance(x, axis=None, keepdims=False, name=None):
    return _reduced(lambda x, d, k: torch.var(x, d, correction=0, keepdim=k), x, axis, keepdims)


def _norm(x, axis=None, keepdims=False, name=None):
    return _reduced(lambda x, d, k: torch.linalg.vector_norm(x, 2, d, k), x, axis, keepdims)


def _cumulated(f, x, axis=0, exclusive=False, reverse=False, name=None):
    x = _tensor(x)
    y = torch.flip(x, (axis,)) if reverse else x
    y = f(y, axis).to(x.dtype)
    if exclusive:
        first = torch.full_like(y.narrow(axis, 0, 1), 1 if f is torch.cumprod else 0)
        y = torch.cat([first, y.narrow(axis, 0, y.shape[axis] - 1)], axis)
    return torch.flip(y, (axis,)) if reverse else y


def _pad(x, paddings, mode="CONSTANT", constant_values=0, name=None):
    rows = [[int(v) for v in row] for row in paddings]
    pads = [v for row in reversed(rows) for v in row]
    if mode.upper() == "CONSTANT":
        return torch.nn.functional.pad(_tensor(x), pads, value=constant_values)
    return torch.from_numpy(np.pad(_tensor(x).numpy(), rows, mode=mode.lower()))


def _gathered_nd(params, indices, batch_dims=0, name=None, **_):
    if batch_dims:
        raise NotImplementedError("batch_dims")
    return _tensor(params)[tuple(_tensor(indices).long().movedim(-1, 0))]


def _scattered(how, x, indices, updates, name=None):
    """tf.tensor_scatter_nd_*: the rows at the indices take the updates."""
    x, updates = torch.clone(_tensor(x)), _tensor(updates)
    where = tuple(_tensor(indices).long().movedim(-1, 0))
    if how in ("set", "add", "sub"):
        return x.index_put(where, -updates if how == "sub" else updates, accumulate=how != "set")
    flat = np.ravel_multi_index([w.numpy() for w in where], x.shape[: len(where)])
    rows = x.reshape(-1, *x.shape[len(where) :])
    updates = updates.reshape(-1, *rows.shape[1:])
    return rows.index_reduce(0, torch.from_numpy(flat.reshape(-1)), updates, how).reshape(x.shape)


def _segments(how, data, ids, num_segments=None, name=None):
    data, ids = _tensor(data), _tensor(ids).long()
    n = int(ids.max()) + 1 if num_segments is None else int(num_segments)
    start = {"sum": 0, "prod": 1, "mean": 0}.get(how, 0)
    out = torch.full((n, *data.shape[ids.ndim :]), start, dtype=data.dtype)
    data = data.reshape(-1, *out.shape[1:])
    if how == "sum":
        return out.index_add(0, ids.reshape(-1), data)
    return out.index_reduce(0, ids.reshape(-1), data, how, include_self=False)


def _one_hot(indices, depth, on_value=1.0, off_value=0.0, axis=-1, dtype=None, name=None):
    places = _tensor(indices).long().unsqueeze(-1) == torch.arange(depth)
    y = torch.where(places, on_value, off_value).to(dtype or torch.float32)
    return y.movedim(-1, axis)


def _sliced(x, begin, size, name=None):
    x = _tensor(x)
    for d, (b, n) in enumerate(zip(_shape(begin), _shape(size))):
        x = x.narrow(d, b, x.shape[d] - b if n == -1 else n)
    return x


def _rolled(x, shift, axis, name=None):
    whole = lambda v: _shape(v) if hasattr(v, "__len__") else int(v)  # noqa: E731
    return torch.roll(_tensor(x), whole(shift), whole(axis))


def _squeezed(x, axis=None, name=None):
    x = _tensor(x)
    return torch.squeeze(x) if axis is None else torch.squeeze(x, _shape(axis))


def _clipped(x, clip_value_min, clip_value_max, name=None):
    x = _tensor(x)
    return torch.clamp(x, _tensor(clip_value_min).to(x.dtype), _tensor(clip_value_max).to(x.dtype))


def _normalized(x, axis=-1, epsilon=1e-12, name=None):
    x = _tensor(x)
    return x * torch.rsqrt(torch.clamp(torch.sum(x * x, axis, keepdim=True), min=epsilon))


def _batch_normalized(x, mean, variance, offset, scale, variance_epsilon, name=None):
    y = (_tensor(x) - mean) * torch.rsqrt(_tensor(variance) + variance_epsilon)
    y = y if scale is None else y * scale
    return y if offset is None else y + offset


def _fused_norm(x, scale, offset, mean, variance, epsilon=1e-3, is_training=True, **_):
    x = _tensor(x)
    if is_training:
        mean, variance = torch.mean(x, (0, 1, 2)), torch.var(x, (0, 1, 2), correction=0)
    y = _batch_normalized(x, mean, variance, offset, scale, epsilon)
    return y, _tensor(mean), _tensor(variance)


def _conv_transposed(n, x, filters, output_shape, strides, padding="SAME", name=None, **_):
    f = torch.nn.functional
    convs = f.conv_transpose1d, f.conv_transpose2d, f.conv_transpose3d
    w, stride = _tensor(filters), _spatial(strides, n)
    y = convs[n - 1](_nchw(_tensor(x)), torch.movedim(w, (-1, -2), (0, 1)), None, stride)
    for d, size in enumerate(_spatial(output_shape, n), 2):
        over = y.shape[d] - size if padding.upper() == "SAME" else 0
        y = y.narrow(d, over // 2, y.shape[d] - over) if over > 0 else y
        lacks = size - y.shape[d]
        y = f.pad(y, [0, 0] * (y.ndim - 1 - d) + [0, lacks]) if lacks > 0 else y
    return _nhwc(y)


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


def _local_norm(x, depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, name=None, **_):
    n = 2 * depth_radius + 1  # PyTorch divides alpha by the size of the window
    norm = torch.nn.functional.local_response_norm
    return _nhwc(norm(_nchw(_tensor(x)), n, alpha * n, beta, bias))


def _space_to_depth(x, block_size, data_format=None, name=None):
    n, h, w, c = x.shape
    x = x.reshape(n, h // block_size, block_size, w // block_size, block_size, c)
    return x.permute(0, 1, 3, 2, 4, 5).reshape(n, h // block_size, w // block_size, -1)


def _quotient(x, y, name=None):
    x, y = _tensor(x), _tensor(y)
    return torch.where(y == 0, torch.zeros_like(x), x / y)


def _band(x, lower, upper, name=None):
    x = _tensor(x)
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
