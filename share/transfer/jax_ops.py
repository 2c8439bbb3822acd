# Functions of PyTorch, with its arguments, by JAX.


def _reduced(loss, reduction, weight=None):
    if weight is not None and reduction == "mean":
        return jnp.sum(loss) / jnp.sum(weight)
    return {"mean": jnp.mean, "sum": jnp.sum}.get(reduction, lambda v: v)(loss)


def _sum(x, dim=None, keepdim=False, dtype=None):
    return jnp.sum(x, axis=_axes(dim), keepdims=keepdim, dtype=dtype or _wide(x))


def _prod(x, dim=None, keepdim=False, dtype=None):
    return jnp.prod(x, axis=dim, keepdims=keepdim, dtype=dtype or _wide(x))


def _wide(x):
    return None if jnp.issubdtype(x.dtype, jnp.inexact) else "int64"


def _axes(dim):
    return tuple(dim) if isinstance(dim, (list, tuple)) else dim


def _mean(x, dim=None, keepdim=False, dtype=None):
    return jnp.mean(x, axis=_axes(dim), keepdims=keepdim, dtype=dtype)


def _variance(x, dim=None, unbiased=True, keepdim=False, correction=None):
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    correction = int(bool(unbiased)) if correction is None else correction
    return jnp.var(x, axis=_axes(dim), ddof=correction, keepdims=keepdim)


def _deviation(x, dim=None, unbiased=True, keepdim=False, correction=None):
    return jnp.sqrt(_variance(x, dim, unbiased, keepdim, correction))


def _norm(x, p="fro", dim=None, keepdim=False, dtype=None, ord=None):
    x = x if dim is not None or len(x.shape) < 2 else jnp.reshape(x, (-1,))
    order = ord if ord is not None else p
    return jnp.linalg.norm(x, 2 if order in ("fro", None) else order, _axes(dim), keepdim)


def _extreme(value, index, other, x, dim=None, keepdim=False):
    if dim is None:
        return value(x)
    if _is_tensor(dim):
        return other(x, dim)
    return value(x, axis=dim, keepdims=keepdim), index(x, axis=dim, keepdims=keepdim)


_max = functools.partial(_extreme, jnp.max, jnp.argmax, jnp.maximum)
_min = functools.partial(_extreme, jnp.min, jnp.argmin, jnp.minimum)


def _argument(find, x, dim=None, keepdim=False):
    return find(x, axis=dim, keepdims=keepdim).astype("int64")


def _flatten(x, start_dim=0, end_dim=-1):
    shape = list(x.shape)
    end = end_dim % max(len(shape), 1)
    return jnp.reshape(x, shape[:start_dim] + [-1] + shape[end + 1 :])


def _clamp(x, min=None, max=None):
    x = x if min is None else jnp.maximum(x, min)
    return x if max is None else jnp.minimum(x, max)


def _split(x, size, dim=0):
    n = int(x.shape[dim])
    steps = np.cumsum(size)[:-1] if isinstance(size, (list, tuple)) else range(size, n, size)
    return jnp.split(x, list(steps), axis=dim)


def _chunk(x, chunks, dim=0):
    return _split(x, -(-int(x.shape[dim]) // chunks), dim)


def _cat(tensors, dim=0, out=None):
    return jnp.concatenate(tensors, axis=dim)


def _stack(tensors, dim=0):
    return jnp.stack(tensors, axis=dim)


def _argsort(x, dim=-1, descending=False, stable=False):
    return jnp.argsort(x, axis=dim, descending=descending, stable=True)


def _sort(x, dim=-1, descending=False, stable=False):
    order = _argsort(x, dim, descending)
    return jnp.take_along_axis(x, order, axis=dim), order


def _topk(x, k, dim=-1, largest=True, sorted=True):
    values, order = _sort(x, dim, largest)
    part = lambda v: jax.lax.slice_in_dim(v, 0, k, axis=dim % len(x.shape))  # noqa: E731
    return part(values), part(order)


def _kthvalue(x, k, dim=-1, keepdim=False):
    pick = lambda v: jnp.take(v, np.array([k - 1]) if keepdim else k - 1, axis=dim)  # noqa: E731
    return tuple(pick(v) for v in _sort(x, dim))


def _gather(x, dim, index):
    x = x[
        tuple(slice(None) if i == dim % x.ndim else slice(0, d) for i, d in enumerate(index.shape))
    ]
    return jnp.take_along_axis(x, index, axis=dim)


def _index_add(x, dim, index, source, alpha=1):
    y = jnp.moveaxis(x, dim, 0).at[index].add(jnp.moveaxis(source, dim, 0) * alpha)
    return jnp.moveaxis(y, 0, dim)


def _index_select(x, dim, index):
    return jnp.take(x, index, axis=dim)


def _linear(x, weight, bias=None):
    y = jnp.matmul(x, weight.T)
    return y if bias is None else y + bias


def _addmm(x, a, b, beta=1, alpha=1):
    return beta * x + alpha * jnp.matmul(a, b)


def _conv(n, x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    batched = len(x.shape) == n + 2
    x = x if batched else x[None]
    pads = padding.upper() if isinstance(padding, str) else [(p, p) for p in _each(n, padding)]
    y = jax.lax.conv_general_dilated(
        x,
        weight,
        _each(n, stride),
        pads,
        rhs_dilation=_each(n, dilation),
        feature_group_count=groups,
    )
    y = y if bias is None else y + jnp.reshape(bias, (1, -1) + (1,) * n)
    return y if batched else y[0]


def _conv_transposed(
    n, x, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1
):
    batched = len(x.shape) == n + 2
    x = x if batched else x[None]
    dilation, sizes = _each(n, dilation), weight.shape[2:]
    rows = zip(_each(n, padding), _each(n, output_padding), sizes, dilation)
    pads = [(d * (k - 1) - p, d * (k - 1) - p + o) for p, o, k, d in rows]
    weight = jnp.flip(weight, tuple(range(2, n + 2)))
    weight = jnp.reshape(weight, (groups, weight.shape[0] // groups, *weight.shape[1:]))
    weight = jnp.reshape(jnp.swapaxes(weight, 1, 2), (-1, weight.shape[1], *sizes))
    y = jax.lax.conv_general_dilated(
        x,
        weight,
        (1,) * n,
        pads,
        lhs_dilation=_each(n, stride),
        rhs_dilation=dilation,
        feature_group_count=groups,
    )
    y = y if bias is None else y + jnp.reshape(bias, (1, -1) + (1,) * n)
    return y if batched else y[0]


def _pool_ends(x, n, kernel, stride, padding, dilation, ceil_mode):
    """Padding of each dimension, its end longer where ceil_mode asks for another window."""
    rows = []
    for d, k, s, p, step in zip(
        x.shape[-n:], *(_each(n, v) for v in (kernel, stride, padding, dilation))
    ):
        if s == 0:
            raise ValueError("stride should not be zero")
        span = step * (k - 1) + 1
        count = (d + 2 * p - span) / s
        windows = int(np.ceil(count) if ceil_mode else np.floor(count)) + 1
        if (windows - 1) * s >= d + p:
            windows -= 1
        if windows < 1:
            raise ValueError("output size is too small")
        rows.append((p, max((windows - 1) * s + span - d - p, 0)))
    return rows


def _windows(n, x, begin, combine, kernel, stride, rows, dilation):
    lead = (1,) * (len(x.shape) - n)
    return jax.lax.reduce_window(
        x,
        np.asarray(begin, x.dtype),
        combine,
        lead + _each(n, kernel),
        lead + _each(n, stride),
        [(0, 0)] * len(lead) + list(rows),
        window_dilation=lead + _each(n, dilation),
    )


def _max_pool(
    n, x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    if return_indices:
        raise NotImplementedError("indices of this pooling")
    stride = kernel_size if stride is None else stride
    rows = _pool_ends(x, n, kernel_size, stride, padding, dilation, ceil_mode)
    least = -np.inf if jnp.issubdtype(x.dtype, jnp.floating) else jnp.iinfo(x.dtype).min
    return _windows(n, x, least, jax.lax.max, kernel_size, stride, rows, dilation)


def _avg_pool(
    n,
    x,
    kernel_size,
    stride=None,
    padding=0,
    ceil_mode=False,
    count_include_pad=True,
    divisor_override=None,
):
    stride = kernel_size if stride is None else stride
    rows = _pool_ends(x, n, kernel_size, stride, padding, 1, ceil_mode)
    total = lambda v, ends: _windows(n, v, 0, jax.lax.add, kernel_size, stride, ends, 1)  # noqa: E731
    if divisor_override:
        return total(x, rows) / divisor_override
    inside = jnp.ones_like(x)
    if not count_include_pad:
        return total(x, rows) / total(inside, rows)
    pads = list(zip(_each(n, padding), _each(n, padding)))
    inside = jnp.pad(inside, [(0, 0)] * (len(x.shape) - n) + pads, constant_values=1)
    ends = [(0, b - a) for a, b in rows]
    return total(x, rows) / total(inside, ends)


def _adaptive(combine, n, x, output_size, return_indices=False):
    if return_indices:
        raise NotImplementedError("indices of this pooling")
    for axis, out in enumerate(_each(n, output_size), len(x.shape) - n):
        d = x.shape[axis]
        out = d if out is None else out
        ends = [(i * d // out, -(-(i + 1) * d // out)) for i in range(out)]
        parts = [
            combine(jax.lax.slice_in_dim(x, a, b, axis=axis), axis=axis, keepdims=True)
            for a, b in ends
        ]
        x = jnp.concatenate(parts, axis=axis)
    return x


def _interpolate(
    x,
    size=None,
    scale_factor=None,
    mode="nearest",
    align_corners=None,
    recompute=None,
    antialias=False,
):
    n = len(x.shape) - 2
    if size is None:
        size = [int(d * s) for d, s in zip(x.shape[2:], _each(n, scale_factor))]
    size = _each(n, size)
    if mode == "nearest":
        for axis, out in enumerate(size, 2):
            places = np.floor(np.arange(out) * (x.shape[axis] / out)).astype(int)
            x = jnp.take(x, places, axis=axis)
        return x
    if align_corners or mode not in ("linear", "bilinear", "trilinear"):
        raise NotImplementedError("interpolate of this form")
    return jax.image.resize(x, (*x.shape[:2], *size), "linear", antialias=antialias)


def _pad(x, pad, mode="constant", value=None):
    if any(p < 0 for p in pad):
        rows = [(a, b, 0) for a, b in _pads(pad, x)]
        return jax.lax.pad(x, np.asarray(value or 0, x.dtype), rows)
    if mode == "constant":
        return jnp.pad(x, _pads(pad, x), constant_values=value or 0)
    return jnp.pad(x, _pads(pad, x), mode={"replicate": "edge", "circular": "wrap"}.get(mode, mode))


def _cross_entropy(
    x,
    target,
    weight=None,
    size_average=None,
    ignore_index=-100,
    reduce=None,
    reduction="mean",
    label_smoothing=0.0,
):
    axis = 1 if len(x.shape) > 1 else 0
    log = jax.nn.log_softmax(x, axis=axis)
    if len(target.shape) < len(x.shape) and not label_smoothing:
        return _nll(log, target, weight, None, ignore_index, None, reduction)
    if weight is not None or len(target.shape) < len(x.shape):
        raise NotImplementedError("cross_entropy of this form")
    if label_smoothing:
        target = target * (1 - label_smoothing) + label_smoothing / x.shape[axis]
    loss = -jnp.sum(log * target, axis=axis)
    if reduction == "mean":  # over examples, also if there are no classes
        return jnp.sum(loss) / loss.size
    return _reduced(loss, reduction)


def _nll(
    x, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"
):
    x = jnp.moveaxis(x, 1, -1) if len(x.shape) > 1 else x
    picked = target == ignore_index
    place = jnp.where(picked, 0, target)
    loss = -jnp.take_along_axis(x, place[..., None], axis=-1)[..., 0]
    share = jnp.logical_not(picked).astype(x.dtype)
    share = share if weight is None else share * jnp.take(weight, place)
    return _reduced(loss * share, reduction, share)


def _mse(x, y, size_average=None, reduce=None, reduction="mean", weight=None):
    return _reduced(jnp.square(x - y), reduction)


def _l1(x, y, size_average=None, reduce=None, reduction="mean"):
    return _reduced(jnp.abs(x - y), reduction)


def _smooth_l1(x, y, size_average=None, reduce=None, reduction="mean", beta=1.0):
    apart = jnp.abs(x - y)
    if not beta:
        return _reduced(apart, reduction)
    return _reduced(jnp.where(apart < beta, 0.5 * apart**2 / beta, apart - 0.5 * beta), reduction)


def _refuse(wrong, why):
    """Values that the source refuses; while a function is traced there are none."""
    if not isinstance(wrong, jax.core.Tracer) and jnp.any(wrong):
        raise ValueError(why)


def _bce(x, y, weight=None, size_average=None, reduce=None, reduction="mean"):
    _refuse((x < 0) | (x > 1), "all elements of input should be between 0 and 1")
    log = lambda v: jnp.maximum(jnp.log(v), -100.0)  # noqa: E731
    loss = -(y * log(x) + (1 - y) * log(1 - x))
    return _reduced(loss if weight is None else loss * weight, reduction)


def _bce_logits(
    x, y, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    up = 1.0 if pos_weight is None else pos_weight
    loss = -(up * y * jax.nn.log_sigmoid(x) + (1 - y) * jax.nn.log_sigmoid(-x))
    return _reduced(loss if weight is None else loss * weight, reduction)


def _kl_div(x, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    if not jnp.issubdtype(x.dtype, jnp.floating):
        raise ValueError("integral inputs are not supported")
    log = target if log_target else jnp.log(target)
    target = jnp.exp(target) if log_target else target
    loss = jnp.where(target == 0, jnp.zeros_like(x), target * (log - x))
    return jnp.sum(loss) / x.shape[0] if reduction == "batchmean" else _reduced(loss, reduction)


def _group_norm(x, num_groups, weight=None, bias=None, eps=1e-05):
    y = jnp.reshape(x, (x.shape[0], num_groups, -1))
    y = (y - jnp.mean(y, -1, keepdims=True)) / jnp.sqrt(jnp.var(y, -1, keepdims=True) + eps)
    return _affine(jnp.reshape(y, x.shape), weight, bias)


def _affine(y, weight, bias):
    wide = (1, -1) + (1,) * (len(y.shape) - 2)
    y = y if weight is None else y * jnp.reshape(weight, wide)
    return y if bias is None else y + jnp.reshape(bias, wide)


def _batch_norm(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05
):
    axes, wide = [i for i in range(len(x.shape)) if i != 1], (1, -1) + (1,) * (len(x.shape) - 2)
    if training or running_mean is None:
        mean, variance = jnp.mean(x, tuple(axes)), jnp.var(x, tuple(axes))
    else:
        mean, variance = running_mean, running_var
    y = (x - jnp.reshape(mean, wide)) / jnp.sqrt(jnp.reshape(variance, wide) + eps)
    return _affine(y, weight, bias)


def _layer_norm(x, normalized_shape, weight=None, bias=None, eps=1e-05):
    axes = tuple(range(-len(_shape(normalized_shape)), 0))
    mean, variance = jnp.mean(x, axes, keepdims=True), jnp.var(x, axes, keepdims=True)
    y = (x - mean) / jnp.sqrt(variance + eps)
    y = y if weight is None else y * weight
    return y if bias is None else y + bias


def _attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    score = jnp.matmul(q, _t(k)) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if is_causal:
        attn_mask = jnp.tril(jnp.ones(score.shape[-2:], bool))
    if attn_mask is not None and attn_mask.dtype == bool:
        score = jnp.where(attn_mask, score, -jnp.inf)
    elif attn_mask is not None:
        score = score + attn_mask
    return jnp.matmul(jax.nn.softmax(score, axis=-1), v)


def _cosine_similarity(x, y, dim=1, eps=1e-08):
    square = jnp.sum(x * x, axis=dim) * jnp.sum(y * y, axis=dim)
    return jnp.sum(x * y, axis=dim) / jnp.sqrt(jnp.maximum(square, eps * eps))


def _shuffle(x, r):
    n, c, h, w = x.shape
    x = jnp.reshape(x, (n, c // (r * r), r, r, h, w))
    return jnp.reshape(jnp.transpose(x, (0, 1, 4, 2, 5, 3)), (n, c // (r * r), h * r, w * r))


def _embedded(x, weight, padding_idx=None):
    """JAX takes an index out of range for the nearest one."""
    _refuse((x < 0) | (x >= weight.shape[0]), "index out of range")
    return jnp.take(weight, x, axis=0)


def _bag(
    x,
    weight,
    offsets=None,
    max_norm=None,
    norm_type=2.0,
    scale_grad_by_freq=False,
    mode="mean",
    sparse=False,
    per_sample_weights=None,
    include_last_offset=False,
    padding_idx=None,
):
    if offsets is None:
        offsets = np.arange(x.shape[0]) * x.shape[1]
        per_sample_weights = None if per_sample_weights is None else per_sample_weights.reshape(-1)
        x = x.reshape(-1)
    offsets = np.asarray(offsets)
    rows = len(offsets) - 1 if include_last_offset else len(offsets)
    of = np.searchsorted(offsets[:rows], np.arange(x.shape[0]), side="right") - 1
    kept = (
        np.arange(x.shape[0]) if padding_idx is None else np.where(np.asarray(x) != padding_idx)[0]
    )
    parts = _embedded(x, weight)
    parts = parts if per_sample_weights is None else parts * per_sample_weights[:, None]
    if mode == "max":
        return jax.ops.segment_max(parts[kept], of[kept], rows)
    total = jax.ops.segment_sum(parts[kept], of[kept], rows)
    count = np.maximum(np.bincount(of[kept], minlength=rows), 1)[:, None]
    return total / count.astype(total.dtype) if mode == "mean" else total


def _scatter_add(x, dim, index, source):
    places = list(jnp.meshgrid(*map(np.arange, index.shape), indexing="ij"))
    places[dim] = index
    return x.at[tuple(places)].add(source[tuple(slice(0, d) for d in index.shape)])


def _repeat_interleave(x, repeats=None, dim=None, output_size=None):
    if repeats is None:
        return jnp.repeat(jnp.arange(x.shape[0]), x)
    return jnp.repeat(x, repeats, axis=dim)


def _multinomial(weights, num_samples, replacement=False, **_):
    if replacement:  # one uniform number for each sample, since there may be many
        ends = jnp.cumsum(weights, -1)
        drawn = jax.random.uniform(_key(), (*weights.shape[:-1], num_samples)) * ends[..., -1:]
        find = functools.partial(jnp.searchsorted, side="right")
        return jnp.vectorize(find, signature="(n),(m)->(m)")(ends, drawn)
    noise = jax.random.gumbel(_key(), weights.shape)
    return _topk(jnp.log(weights) + noise, num_samples)[1]


def _quantized(x, scale, zero_point, dtype):
    low, high = {"qint8": (-128, 127), "quint8": (0, 255), "qint32": (-(2**31), 2**31 - 1)}[dtype]
    return jnp.clip(jnp.round(x / scale) + zero_point, low, high)


def _fake_quantized(x, scale, zero_point, quant_min, quant_max):
    return (jnp.clip(jnp.round(x / scale) + zero_point, quant_min, quant_max) - zero_point) * scale


def _svd(x, some=True, compute_uv=True):
    u, s, v = jnp.linalg.svd(x, full_matrices=not some)
    return u, s, _t(jnp.conj(v))
