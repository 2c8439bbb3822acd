# Functions of PyTorch, with its arguments, by keras.ops and TensorFlow.


def _padded(x, n, padding, value=0.0):
    """Dimensions behind the first two of a channels-first tensor, both ends alike."""
    rows = [[p, p] for p in _each(n, padding)]
    return keras.ops.pad(x, [[0, 0]] * (len(x.shape) - n) + rows, constant_values=value)


def _conv(n, x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    batched = len(x.shape) == n + 2
    x = x if batched else x[None]
    if not isinstance(padding, str):
        x, padding = _padded(x, n, padding), "valid"
    y = _nchw(
        keras.ops.conv(
            _nhwc(x), _hwio(weight), _each(n, stride), padding, "channels_last", _each(n, dilation)
        )
    )
    y = y if bias is None else y + keras.ops.reshape(bias, (-1,) + (1,) * n)
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
        count = (int(d) + 2 * p - span) / s
        windows = int(np.ceil(count) if ceil_mode else np.floor(count)) + 1
        if (windows - 1) * s >= int(d) + p:
            windows -= 1
        if windows < 1:
            raise ValueError("output size is too small")
        rows.append([p, max((windows - 1) * s + span - int(d) - p, 0)])
    return rows


def _max_pool(
    n, x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False
):
    if return_indices:
        return _max_pool_indices(n, x, kernel_size, stride, padding, dilation, ceil_mode)
    stride = kernel_size if stride is None else stride
    batched = len(x.shape) == n + 2
    x = x if batched else x[None]
    rows = _pool_ends(x, n, kernel_size, stride, padding, dilation, ceil_mode)
    x = (
        keras.ops.pad(x, [[0, 0], [0, 0], *rows], constant_values=float("-inf"))
        if np.any(rows)
        else x
    )
    y = _nchw(
        tf.nn.pool(
            _nhwc(x),
            _each(n, kernel_size),
            "MAX",
            _each(n, stride),
            "VALID",
            dilations=_each(n, dilation),
        )
    )
    return y if batched else y[0]


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
    batched = len(x.shape) == n + 2
    x = x if batched else x[None]
    rows = _pool_ends(x, n, kernel_size, stride, padding, 1, ceil_mode)
    pool = lambda v: _nchw(
        keras.ops.average_pool(
            _nhwc(v), _each(n, kernel_size), _each(n, stride), "valid", "channels_last"
        )
    )  # noqa: E731
    pad = lambda v: keras.ops.pad(v, [[0, 0], [0, 0], *rows])  # noqa: E731
    y, area = pool(pad(x)), int(np.prod(_each(n, kernel_size)))
    if divisor_override:
        y = y * area / divisor_override
    elif np.any(rows) and (not count_include_pad or ceil_mode):
        inside = keras.ops.ones_like(x)
        if count_include_pad:
            inside, ends = _padded(inside, n, padding, 1.0), [[0, b - a] for a, b in rows]
            y = y / pool(keras.ops.pad(inside, [[0, 0], [0, 0], *ends]))
        else:
            y = y / pool(pad(inside))
    return y if batched else y[0]


def _resized_nearest(x, size):
    """Each output takes the input at floor(i * in / out); images of the target take the middle."""
    for axis, out in enumerate(size, len(x.shape) - len(size)):
        places = np.floor(np.arange(out) * (int(x.shape[axis]) / out)).astype(int)
        x = keras.ops.take(x, places, axis=axis)
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
        size = [int(int(d) * s) for d, s in zip(x.shape[2:], _each(n, scale_factor))]
    size = [int(d) for d in _each(n, size)]
    if mode == "nearest":
        return _resized_nearest(x, size)
    if n != 2 or align_corners:
        raise NotImplementedError("interpolate of this form")
    name = {"nearest-exact": "nearest"}.get(mode, mode)
    y = keras.ops.image.resize(_nhwc(x), size, name, antialias, data_format="channels_last")
    return _nchw(y)


def _pad(x, pad, mode="constant", value=None):
    if mode == "circular":
        return tf.experimental.numpy.pad(x, _pads(pad, x), mode="wrap")
    names = {"replicate": "edge"}
    if any(p < 0 for p in pad):
        cut = [(max(-a, 0), int(d) - max(-b, 0)) for d, (a, b) in zip(x.shape, _pads(pad, x))]
        x, pad = x[tuple(slice(a, b) for a, b in cut)], [max(p, 0) for p in pad]
    if mode == "constant":
        return keras.ops.pad(x, _pads(pad, x), constant_values=value or 0)
    return keras.ops.pad(x, _pads(pad, x), mode=names.get(mode, mode))


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
    log = keras.ops.log_softmax(x, axis=axis)
    if len(target.shape) < len(x.shape):
        if label_smoothing:
            raise NotImplementedError("label_smoothing of classes")
        return _nll(log, target, weight, None, ignore_index, None, reduction)
    if weight is not None:
        raise NotImplementedError("weights of probabilities")
    if label_smoothing:
        target = target * (1 - label_smoothing) + label_smoothing / int(x.shape[axis])
    return _reduced(-keras.ops.sum(log * target, axis=axis), reduction)


def _mse(x, y, size_average=None, reduce=None, reduction="mean", weight=None):
    return _reduced(keras.ops.square(keras.ops.subtract(x, y)), reduction)


def _l1(x, y, size_average=None, reduce=None, reduction="mean"):
    return _reduced(keras.ops.abs(keras.ops.subtract(x, y)), reduction)


def _smooth_l1(x, y, size_average=None, reduce=None, reduction="mean", beta=1.0):
    apart = keras.ops.abs(keras.ops.subtract(x, y))
    if not beta:
        return _reduced(apart, reduction)
    return _reduced(
        keras.ops.where(apart < beta, 0.5 * apart * apart / beta, apart - 0.5 * beta), reduction
    )


def _bce(x, y, weight=None, size_average=None, reduce=None, reduction="mean"):
    if tf.executing_eagerly() and keras.ops.any((x < 0) | (x > 1)):
        raise ValueError("all elements of input should be between 0 and 1")
    loss = keras.ops.binary_crossentropy(y, x)
    return _reduced(loss if weight is None else loss * weight, reduction)


def _bce_logits(
    x, y, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    loss = tf.nn.weighted_cross_entropy_with_logits(y, x, 1.0 if pos_weight is None else pos_weight)
    return _reduced(loss if weight is None else loss * weight, reduction)


def _adaptive(pool, n, x, output_size, return_indices=False):
    """An adaptive pooling of n dimensions, with or without a dimension of examples."""
    if return_indices:
        raise NotImplementedError("indices of this pooling")
    batched = len(x.shape) == n + 2
    x = x if batched else x[None]
    size = [int(d) if s is None else s for s, d in zip(_each(n, output_size), x.shape[2:])]
    y = _nchw(pool(_nhwc(x), size, data_format="channels_last"))
    return y if batched else y[0]


def _scatter_add(x, dim, index, source):
    index, source = (keras.ops.moveaxis(v, dim, -1) for v in (index, source))
    y = keras.ops.moveaxis(x, dim, -1)
    places = np.stack(np.meshgrid(*map(np.arange, index.shape), indexing="ij"), -1)[..., :-1]
    where = keras.ops.concatenate(
        [keras.ops.convert_to_tensor(places, "int64"), keras.ops.cast(index, "int64")[..., None]],
        -1,
    )
    part = source[tuple(slice(0, int(d)) for d in index.shape)]
    return keras.ops.moveaxis(tf.tensor_scatter_nd_add(y, where, part), -1, dim)


def _flatten(x, start_dim=0, end_dim=-1):
    shape = list(x.shape)
    end = end_dim % max(len(shape), 1)
    return keras.ops.reshape(x, shape[:start_dim] + [-1] + shape[end + 1 :])


def _clamp(x, min=None, max=None):
    x = x if min is None else keras.ops.maximum(x, min)
    return x if max is None else keras.ops.minimum(x, max)


def _conv_transposed(
    n, x, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1
):
    batched = len(x.shape) == n + 2
    x = x if batched else x[None]
    stride, dilation = _each(n, stride), _each(n, dilation)
    parts = (
        zip(keras.ops.split(x, groups, 1), keras.ops.split(weight, groups, 0))
        if groups > 1
        else [(x, weight)]
    )
    make = lambda a, w: _nchw(
        keras.ops.conv_transpose(
            _nhwc(a), _hwio(w), stride, "valid", data_format="channels_last", dilation_rate=dilation
        )
    )  # noqa: E731
    y = keras.ops.concatenate([make(a, w) for a, w in parts], 1)
    sizes = [
        (int(i) - 1) * s + d * (int(k) - 1) + 1
        for i, s, d, k in zip(x.shape[2:], stride, dilation, weight.shape[2:])
    ]
    y = y[(slice(None), slice(None), *(slice(0, size) for size in sizes))]
    rows = [
        [0, max(size - int(have), 0) + o]
        for size, have, o in zip(sizes, y.shape[2:], _each(n, output_padding))
    ]
    y = keras.ops.pad(y, [[0, 0], [0, 0], *rows]) if np.any(rows) else y
    y = y[
        (
            slice(None),
            slice(None),
            *(slice(p, int(d) - p) for p, d in zip(_each(n, padding), y.shape[2:])),
        )
    ]
    y = y if bias is None else y + keras.ops.reshape(bias, (1, -1) + (1,) * n)
    return y if batched else y[0]


def _attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    swap = lambda x: keras.ops.swapaxes(x, 1, 2)  # noqa: E731
    return swap(
        keras.ops.dot_product_attention(
            swap(q), swap(k), swap(v), mask=attn_mask, is_causal=is_causal, scale=scale
        )
    )


def _shuffle(x, r):
    n, c, h, w = x.shape
    x = keras.ops.reshape(x, (n, c // (r * r), r, r, h, w))
    return keras.ops.reshape(
        keras.ops.transpose(x, (0, 1, 4, 2, 5, 3)), (n, c // (r * r), h * r, w * r)
    )


def _linear(x, weight, bias=None):
    y = keras.ops.matmul(x, _t(weight))
    return y if bias is None else y + bias


def _split(x, size, dim=0):
    n = int(x.shape[dim])
    sizes = (
        size
        if isinstance(size, (list, tuple))
        else [size] * (n // size) + ([n % size] if n % size else [])
    )
    return tf.split(x, sizes, axis=dim)


def _chunk(x, chunks, dim=0):
    n = int(x.shape[dim])
    return _split(x, -(-n // chunks), dim)


def _argsort(x, dim=-1, descending=False, stable=False):
    return tf.argsort(
        x, axis=dim, direction="DESCENDING" if descending else "ASCENDING", stable=stable
    )


def _sort(x, dim=-1, descending=False, stable=False):
    order = _argsort(x, dim, descending, True)
    return keras.ops.take_along_axis(x, order, axis=dim), order


def _topk(x, k, dim=-1, largest=True, sorted=True):
    y = keras.ops.moveaxis(x, dim, -1)
    if y.dtype.is_floating:  # a NaN is the largest, which top_k does not say
        key = tf.where(tf.math.is_nan(y), tf.constant(float("inf"), y.dtype), y)
    else:
        key = y
    if largest:
        places = tf.argsort(key, axis=-1, direction="DESCENDING", stable=True)
        if y.dtype.is_floating:  # before the infinities
            nan = keras.ops.take_along_axis(keras.ops.cast(tf.math.is_nan(y), "int32"), places, -1)
            order = tf.argsort(nan, axis=-1, direction="DESCENDING", stable=True)
            places = keras.ops.take_along_axis(places, order, axis=-1)
    else:
        places = tf.argsort(key, axis=-1, stable=True)
    places = places[..., :k]
    values = keras.ops.take_along_axis(y, places, axis=-1)
    return keras.ops.moveaxis(values, -1, dim), keras.ops.moveaxis(places, -1, dim)


def _extreme(value, index, other, x, dim=None, keepdim=False):
    if dim is None:
        return value(x)
    if keras.ops.is_tensor(dim):
        return other(x, dim)
    return value(x, axis=dim, keepdims=keepdim), index(x, axis=dim, keepdims=keepdim)


_max = functools.partial(_extreme, keras.ops.max, keras.ops.argmax, keras.ops.maximum)
_min = functools.partial(_extreme, keras.ops.min, keras.ops.argmin, keras.ops.minimum)


def _index_add(x, dim, index, source, alpha=1):
    x, source = keras.ops.moveaxis(x, dim, 0), keras.ops.moveaxis(source, dim, 0)
    return keras.ops.moveaxis(tf.tensor_scatter_nd_add(x, index[:, None], source * alpha), 0, dim)


def _reduced(loss, reduction, weight=None):
    if weight is not None and reduction == "mean":
        return keras.ops.sum(loss) / keras.ops.sum(weight)
    return {"mean": keras.ops.mean, "sum": keras.ops.sum}.get(reduction, lambda v: v)(loss)


def _nll(
    x, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"
):
    x = keras.ops.moveaxis(x, 1, -1) if len(x.shape) > 1 else x
    picked = keras.ops.equal(target, ignore_index)
    place = keras.ops.where(picked, keras.ops.zeros_like(target), target)
    loss = -keras.ops.squeeze(keras.ops.take_along_axis(x, place[..., None], axis=-1), -1)
    share = keras.ops.cast(keras.ops.logical_not(picked), x.dtype)
    share = share if weight is None else share * keras.ops.take(weight, place)
    return _reduced(loss * share, reduction, share)


def _kl_div(x, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    log = target if log_target else keras.ops.log(target)
    target = keras.ops.exp(target) if log_target else target
    loss = keras.ops.where(target == 0, keras.ops.zeros_like(x), target * (log - x))
    return (
        keras.ops.sum(loss) / x.shape[0] if reduction == "batchmean" else _reduced(loss, reduction)
    )


def _group_norm(x, num_groups, weight=None, bias=None, eps=1e-05):
    shape = tuple(x.shape)
    y = keras.ops.reshape(x, (shape[0], num_groups, -1))
    mean, variance = keras.ops.moments(y, -1, keepdims=True)
    y = keras.ops.reshape((y - mean) / keras.ops.sqrt(variance + eps), shape)
    wide = (1, -1) + (1,) * (len(shape) - 2)
    y = y if weight is None else y * keras.ops.reshape(weight, wide)
    return y if bias is None else y + keras.ops.reshape(bias, wide)


def _batch_norm(
    x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05
):
    wide = (1, -1) + (1,) * (len(x.shape) - 2)
    if training or running_mean is None:
        mean, variance = keras.ops.moments(x, [i for i in range(len(x.shape)) if i != 1])
    else:
        mean, variance = running_mean, running_var
    mean, variance = keras.ops.reshape(mean, wide), keras.ops.reshape(variance, wide)
    y = (x - mean) / keras.ops.sqrt(variance + eps)
    y = y if weight is None else y * keras.ops.reshape(weight, wide)
    return y if bias is None else y + keras.ops.reshape(bias, wide)


def _cosine_similarity(x, y, dim=1, eps=1e-08):
    square = keras.ops.sum(x * x, axis=dim) * keras.ops.sum(y * y, axis=dim)
    return keras.ops.sum(x * y, axis=dim) / keras.ops.sqrt(keras.ops.maximum(square, eps * eps))


def _addmm(x, a, b, beta=1, alpha=1):
    return beta * x + alpha * keras.ops.matmul(a, b)


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
        rows, offsets = int(x.shape[0]), np.arange(int(x.shape[0])) * int(x.shape[1])
        x = keras.ops.reshape(x, (-1,))
        per_sample_weights = (
            None if per_sample_weights is None else keras.ops.reshape(per_sample_weights, (-1,))
        )
    else:
        offsets = keras.ops.convert_to_numpy(offsets)
        rows = len(offsets) - 1 if include_last_offset else len(offsets)
    places = np.arange(int(x.shape[0]))
    of = np.searchsorted(offsets[:rows], places, side="right") - 1
    kept = places if padding_idx is None else places[keras.ops.convert_to_numpy(x) != padding_idx]
    parts = tf.gather(weight, x)
    parts = parts if per_sample_weights is None else parts * per_sample_weights[:, None]
    pick = {
        "sum": tf.math.unsorted_segment_sum,
        "mean": tf.math.unsorted_segment_mean,
        "max": tf.math.unsorted_segment_max,
    }[mode]
    return pick(tf.gather(parts, kept), of[kept], rows)


def _copysign(x, y):
    sign = keras.ops.where(tf.experimental.numpy.signbit(keras.ops.cast(y, x.dtype)), -1, 1)
    return keras.ops.abs(x) * keras.ops.cast(sign, x.dtype)


def _prod(x, dim=None, keepdim=False, dtype=None):
    return keras.ops.prod(x, axis=dim, keepdims=keepdim, dtype=dtype)


def _sum(x, dim=None, keepdim=False, dtype=None):
    dtype = dtype or ("int64" if x.dtype.is_integer or x.dtype == "bool" else None)
    return keras.ops.sum(
        x if dtype is None else keras.ops.cast(x, dtype), axis=dim, keepdims=keepdim
    )


def _mean(x, dim=None, keepdim=False, dtype=None):
    return keras.ops.mean(
        x if dtype is None else keras.ops.cast(x, dtype), axis=dim, keepdims=keepdim
    )


def _variance(x, dim=None, unbiased=True, keepdim=False, correction=None):
    correction = int(bool(unbiased)) if correction is None else correction
    if isinstance(dim, bool):
        dim, correction = None, int(dim)
    axes = range(len(x.shape)) if dim is None else _list(dim)
    n = int(np.prod([x.shape[a] for a in axes]))
    return keras.ops.var(x, axis=dim, keepdims=keepdim) * (
        n / max(n - correction, 0) if n > correction else float("nan")
    )


def _deviation(x, dim=None, unbiased=True, keepdim=False, correction=None):
    return keras.ops.sqrt(_variance(x, dim, unbiased, keepdim, correction))


def _cat(tensors, dim=0, out=None):
    return keras.ops.concatenate(tensors, axis=dim)


def _stack(tensors, dim=0):
    return keras.ops.stack(tensors, axis=dim)


def _kthvalue(x, k, dim=-1, keepdim=False):
    value, place = _sort(x, dim)
    pick = lambda y: keras.ops.take(y, [k - 1] if keepdim else k - 1, axis=dim)  # noqa: E731
    return pick(value), pick(place)


def _svd(x, some=True, compute_uv=True):
    u, s, v = keras.ops.svd(x, full_matrices=not some)
    return u, s, _t(tf.math.conj(v)) if x.dtype.is_complex else _t(v)


def _window_places(sizes, n, kernel, stride, padding, dilation, ceil_mode):
    """Of each window the positions in the flattened image; -1: in the padding."""
    rows, steps = [], []
    ends = _pool_ends(np.empty((*sizes,)), n, kernel, stride, padding, dilation, ceil_mode)
    for d, (p, end), k, s, step in zip(sizes, ends, kernel, stride, dilation):
        count = (d + p + end - step * (k - 1) - 1) // s + 1
        at = np.arange(count)[:, None] * s + np.arange(k) * step - p
        rows.append(np.where((at >= 0) & (at < d), at, -1))
    for axis in range(n):
        steps.append(int(np.prod(sizes[axis + 1 :])))
    shape = [r.shape[0] for r in rows]
    total, inside = np.zeros((1,) * (2 * n), int), np.ones((1,) * (2 * n), bool)
    for axis, row in enumerate(rows):
        wide = [1] * (2 * n)
        wide[axis], wide[n + axis] = row.shape
        total = total + np.maximum(row, 0).reshape(wide) * steps[axis]
        inside = inside & (row >= 0).reshape(wide)
    return np.where(inside, total, -1).reshape(*shape, -1)


def _max_pool_indices(
    n, x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=True
):
    lead, sizes = [int(d) for d in x.shape[:-n]], [int(d) for d in x.shape[-n:]]
    kernel, padding, dilation = (_each(n, v) for v in (kernel_size, padding, dilation))
    stride = _each(n, stride) if stride is not None and stride != [] else kernel
    places = _window_places(sizes, n, kernel, stride, padding, dilation, ceil_mode)
    flat = keras.ops.reshape(x, (*lead, -1))
    values = keras.ops.take(flat, np.maximum(places, 0), axis=-1)
    values = keras.ops.where(places >= 0, values, keras.ops.cast(float("-inf"), x.dtype))
    best = keras.ops.argmax(values, axis=-1)
    table = keras.ops.broadcast_to(keras.ops.convert_to_tensor(places), values.shape)
    picked = keras.ops.take_along_axis(table, keras.ops.expand_dims(best, -1), axis=-1)
    return keras.ops.max(values, axis=-1), keras.ops.squeeze(picked, -1)


def _unpool(n, x, indices, kernel_size, stride=None, padding=0, output_size=None):
    stride, size = _each(n, stride or kernel_size), _each(n, kernel_size)
    inside = output_size or [
        (int(d) - 1) * s + k - 2 * p
        for d, s, k, p in zip(x.shape[-n:], stride, size, _each(n, padding))
    ]
    inside = list(inside)[-n:]
    lead = [int(d) for d in x.shape[:-n]]
    flat, places = (keras.ops.reshape(v, (int(np.prod(lead)), -1)) for v in (x, indices))
    rows = keras.ops.broadcast_to(
        keras.ops.arange(int(np.prod(lead)), dtype="int64")[:, None], places.shape
    )
    where = keras.ops.stack([rows, keras.ops.cast(places, "int64")], -1)
    y = tf.tensor_scatter_nd_update(
        keras.ops.zeros((int(np.prod(lead)), int(np.prod(inside))), dtype=x.dtype),
        tf.reshape(where, (-1, 2)),
        tf.reshape(flat, (-1,)),
    )
    return keras.ops.reshape(y, (*lead, *inside))


def _multinomial(weights, num_samples, replacement=False, **_):
    rows = weights if len(weights.shape) == 2 else weights[None]
    if replacement:
        picked = keras.random.categorical(keras.ops.log(rows), num_samples, dtype="int64")
    else:
        noise = keras.random.uniform(rows.shape)
        picked = tf.math.top_k(
            keras.ops.log(keras.ops.cast(rows, "float32")) - keras.ops.log(-keras.ops.log(noise)),
            num_samples,
        ).indices
    return keras.ops.cast(picked if len(weights.shape) == 2 else picked[0], "int64")


def _logsumexp(x, dim=None, keepdim=False, out=None):
    x = x if x.dtype.is_floating else keras.ops.cast(x, "float32")
    dim = dim if len(x.shape) else None
    return keras.ops.logsumexp(x, axis=dim, keepdims=keepdim)


def _rfft(x, n=None, dim=-1, norm=None):
    if norm not in (None, "backward"):
        raise NotImplementedError("a norm of rfft")
    x = keras.ops.moveaxis(x, dim, -1)
    return keras.ops.moveaxis(tf.signal.rfft(x, None if n is None else [n]), -1, dim)


def _repeat_interleave(x, repeats=None, dim=None, output_size=None):
    if repeats is None:
        return tf.repeat(keras.ops.arange(x.shape[0], dtype=x.dtype), x)
    return tf.repeat(x, repeats, axis=dim)


def _argument(find, x, dim=None, keepdim=False):
    return keras.ops.cast(find(x, axis=dim, keepdims=keepdim), "int64")


def _norm(x, p="fro", dim=None, keepdim=False, dtype=None, ord=None):
    x = x if dim is not None or len(x.shape) < 2 else keras.ops.reshape(x, (-1,))
    order = ord if ord is not None else p
    return tf.norm(x, ord=2 if order in ("fro", None) else order, axis=dim, keepdims=keepdim)


def _quantized(x, scale, zero_point, dtype):
    low, high = {"qint8": (-128, 127), "quint8": (0, 255), "qint32": (-(2**31), 2**31 - 1)}[dtype]
    return keras.ops.clip(keras.ops.round(x / scale) + zero_point, low, high)


def _fake_quantized(x, scale, zero_point, quant_min, quant_max):
    return (
        keras.ops.clip(keras.ops.round(x / scale) + zero_point, quant_min, quant_max) - zero_point
    ) * scale
