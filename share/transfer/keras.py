import contextlib
import os

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
import keras
import numpy as np
import tensorflow as tf


def _shape(x):
    return tuple(x) if isinstance(x, (list, tuple)) or hasattr(x, "as_list") else (x,)


def _perm(x, axes):
    return keras.ops.transpose(x, axes)


def _nhwc(x):
    return _perm(x, (0, *range(2, len(x.shape)), 1))


def _nchw(x):
    return _perm(x, (0, len(x.shape) - 1, *range(1, len(x.shape) - 1)))


def _hwio(x):
    return _perm(x, (*range(2, len(x.shape)), 1, 0))


def _hwoi(x):
    return _perm(x, (*range(2, len(x.shape)), 0, 1))


def _t(x):
    return keras.ops.swapaxes(x, -1, -2)


def _swap01(x):
    return keras.ops.swapaxes(x, 0, 1)


def _list(x):
    return list(x) if isinstance(x, (list, tuple)) else [x]


def _tuple(x):
    return tuple(_list(x))


def _item(x):
    return x[0] if isinstance(x, (list, tuple)) else x


def _pair(x):
    return x if isinstance(x, (list, tuple)) else (x, x)


def _rev(x):
    return x[::-1]


def _pads(pads, x):
    rank, pads = len(x.shape), list(pads)
    rows = [[pads[i], pads[i + 1]] for i in range(0, len(pads), 2)]
    return [[0, 0]] * (rank - len(rows)) + rows[::-1]


def _not(x):
    return not x


def _neg(x):
    return -x


def _plus1(x):
    return x + 1


def _minus1(x):
    return x - 1


def _real(x):
    return float(x)


def _inverse(x):
    return 1 / x


def _int32(x):
    return keras.ops.cast(x, "int32")


def _int64(x):
    return keras.ops.cast(x, "int64")


def _float32(x):
    return keras.ops.cast(x, "float32")


def _bool(x):
    return keras.ops.cast(x, "bool")


def _complex64(x):
    return tf.cast(x, "complex64")


def _tensor(x, dtype=None):
    if dtype is None and not keras.ops.is_tensor(x):
        array = np.asarray(x)
        dtype = {"f": "float32", "i": "int64", "b": "bool"}.get(array.dtype.kind)
    return keras.ops.convert_to_tensor(x, dtype=dtype)


_drawn = iter(globals().get("RECORDED", ()))


def _draw(make, shape, dtype=None):
    """A random tensor; where the source's are recorded, the next of those."""
    value = next(_drawn, None)
    return make(shape) if value is None else keras.ops.convert_to_tensor(value)


def _normal(*shape, dtype=None, size=None, **_):
    return _draw(keras.random.normal, _sizes(shape, size), dtype)


def _uniform(*shape, dtype=None, size=None, **_):
    return _draw(keras.random.uniform, _sizes(shape, size), dtype)


def _randint(low, high, shape):
    return _draw(lambda s: keras.random.randint(s, low, high, dtype="int64"), shape)


def _arange(start=0, end=None, step=1, dtype=None):
    return keras.ops.arange(*((start,) if end is None else (start, end)), step=step, dtype=dtype)


def _compiled(f=None, **_):
    if f is None:
        return _compiled
    return tf.function(f, jit_compile=True, autograph=False)


def _traced(f=None, *_, **__):
    return f if f is None or isinstance(f, type) else tf.function(f, autograph=False)


def _to(x, *where, **how):
    """A tensor in another dtype; devices say nothing here."""
    kinds = [w for w in (*where, *how.values()) if isinstance(w, str)]
    dtype = next((k for k in kinds if k in _DTYPES), None)
    return x if dtype is None or not keras.ops.is_tensor(x) else keras.ops.cast(x, dtype)


_DTYPES = ("float16", "bfloat16", "float32", "float64", "int8", "uint8", "int16", "int32", "int64", "bool", "complex64", "complex128")


def _each(n, x):
    return tuple(x) if isinstance(x, (list, tuple)) else (x,) * n


def _padded(x, n, padding, value=0.0):
    """Dimensions behind the first two of a channels-first tensor, both ends alike."""
    rows = [[p, p] for p in _each(n, padding)]
    return keras.ops.pad(x, [[0, 0]] * (len(x.shape) - n) + rows, constant_values=value)


def _conv(n, x, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    batched = len(x.shape) == n + 2
    x = x if batched else x[None]
    if not isinstance(padding, str):
        x, padding = _padded(x, n, padding), "valid"
    y = _nchw(keras.ops.conv(_nhwc(x), _hwio(weight), _each(n, stride), padding, "channels_last", _each(n, dilation)))
    y = y if bias is None else y + keras.ops.reshape(bias, (-1,) + (1,) * n)
    return y if batched else y[0]


def _pool_ends(x, n, kernel, stride, padding, dilation, ceil_mode):
    """Padding of each dimension, its end longer where ceil_mode asks for another window."""
    rows = []
    for d, k, s, p, step in zip(x.shape[-n:], *(_each(n, v) for v in (kernel, stride, padding, dilation))):
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


def _max_pool(n, x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False):
    if return_indices:
        return _max_pool_indices(n, x, kernel_size, stride, padding, dilation, ceil_mode)
    stride = kernel_size if stride is None else stride
    batched = len(x.shape) == n + 2
    x = x if batched else x[None]
    rows = _pool_ends(x, n, kernel_size, stride, padding, dilation, ceil_mode)
    x = keras.ops.pad(x, [[0, 0], [0, 0], *rows], constant_values=float("-inf")) if np.any(rows) else x
    y = _nchw(tf.nn.pool(_nhwc(x), _each(n, kernel_size), "MAX", _each(n, stride), "VALID", dilations=_each(n, dilation)))
    return y if batched else y[0]


def _avg_pool(n, x, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    stride = kernel_size if stride is None else stride
    batched = len(x.shape) == n + 2
    x = x if batched else x[None]
    rows = _pool_ends(x, n, kernel_size, stride, padding, 1, ceil_mode)
    pool = lambda v: _nchw(keras.ops.average_pool(_nhwc(v), _each(n, kernel_size), _each(n, stride), "valid", "channels_last"))  # noqa: E731
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


def _interpolate(x, size=None, scale_factor=None, mode="nearest", align_corners=None, **_):
    n = len(x.shape) - 2
    if n != 2 or align_corners:
        raise NotImplementedError("interpolate of this form")
    size = _each(n, size) if size is not None else tuple(int(d * s) for d, s in zip(x.shape[2:], _each(n, scale_factor)))
    return _nchw(keras.ops.image.resize(_nhwc(x), size, interpolation=mode, data_format="channels_last"))


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


def _cross_entropy(x, target, reduction="mean"):
    x = keras.ops.moveaxis(x, 1, -1) if len(x.shape) > 2 else x
    if len(target.shape) == len(x.shape):
        loss = keras.ops.categorical_crossentropy(target, x, from_logits=True)
    else:
        loss = keras.ops.sparse_categorical_crossentropy(target, x, from_logits=True)
    return {"mean": keras.ops.mean, "sum": keras.ops.sum}.get(reduction, lambda v: v)(loss)


def _seed(w, number, axes=None):
    shape = [0] * len(w.shape)
    for to, of in enumerate(axes or range(len(shape))):
        shape[of] = int(w.shape[to])
    value = (np.sin(np.arange(int(np.prod(shape))) * 0.7 + number) * 0.5).reshape(shape)
    w.assign(value.transpose(axes) if axes else value)


class _Model(keras.layers.Layer):
    """Modules keep lists and layers as attributes; calls go to the method forward."""

    def __init__(self, name=None):
        super().__init__(name=name or type(self).__name__.strip("_").lower() or "model")

    def call(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def eval(self):
        for part in vars(self).values():
            for one in part if isinstance(part, (list, tuple)) else (part,):
                if isinstance(one, (_Model, _BatchNorm)):
                    one.eval()
        return self

    def train(self, mode=True):
        return self


class _Sequential(_Model):
    def __init__(self, *parts):
        super().__init__(name="sequential")
        self.parts = list(parts)

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x


class _Layer(keras.layers.Layer):
    """A layer behind the source's layout; its weights are seeded as the source's."""

    def __init__(self, layer, first=False, axes=None, before=None):
        super().__init__()
        self.layer, self.first, self.axes, self.before, self.ready = layer, first, axes, before, False

    def call(self, x, *more):
        x = self.before(x) if self.before else x
        x = _nhwc(x) if self.first else x
        y = self.layer(x)
        if not self.ready:
            self.ready = True
            for i, w in enumerate(self.layer.trainable_weights):
                _seed(w, i, self.axes if i == 0 else None)
            y = self.layer(x)
        return _nchw(y) if self.first else y

    def eval(self):
        return self


def _Linear(in_features, out_features, bias=True, dtype=None):
    return _Layer(keras.layers.Dense(out_features, use_bias=bias), axes=(1, 0))


def _ConvLayer(n, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, dtype=None):
    make = (keras.layers.Conv1D, keras.layers.Conv2D, keras.layers.Conv3D)[n - 1]
    explicit = None if isinstance(padding, str) else lambda x: _padded(x, n, padding)
    layer = make(out_channels, _each(n, kernel_size), _each(n, stride), "valid" if explicit else padding, dilation_rate=_each(n, dilation), groups=groups, use_bias=bias)
    return _Layer(layer, True, (*range(2, n + 2), 1, 0), explicit)


class _TransposedLayer(_Model):
    """torch.nn.ConvTranspose1d to 3d with seeded weights."""

    def __init__(self, n, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, padding_mode="zeros", dtype=None):
        super().__init__()
        shape = (in_channels, out_channels // groups, *_each(n, kernel_size))
        self.weight = self.add_weight(shape=shape, name="weight")
        self.bias = self.add_weight(shape=(out_channels,), name="bias") if bias else None
        _seed(self.weight, 0)
        if bias:
            _seed(self.bias, 1)
        self.settings = (n, stride, padding, output_padding, groups, dilation)

    def forward(self, x):
        n, *rest = self.settings
        return _conv_transposed(n, x, self.weight, self.bias, *rest)


def _PoolLayer(pool, n, kernel_size, stride=None, padding=0):
    return lambda x: pool(n, x, kernel_size, stride, padding)


class _BatchNorm(keras.layers.Layer):
    """Statistics of the batch, as a module in training has it; after eval() mean 0 and variance 1."""

    def __init__(self, num_features, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True, dtype=None):
        super().__init__()
        self.eps, self.training, self.affine = eps, True, affine
        values = [(np.sin(np.arange(num_features) * 0.7 + i) * 0.5).astype("float32") for i in (0, 1)]
        self.scale, self.offset = (keras.ops.convert_to_tensor(v) for v in values)

    def call(self, x):
        axes = [i for i in range(len(x.shape)) if i != 1]
        if self.training and int(np.prod([x.shape[i] for i in axes])) == 1:
            raise ValueError("Expected more than 1 value per channel when training")
        shape = [1, -1] + [1] * (len(x.shape) - 2)
        if self.training:
            mean, variance = keras.ops.moments(x, axes, keepdims=True)
            x = (x - mean) / keras.ops.sqrt(variance + self.eps)
        else:
            x = x / (1 + self.eps) ** 0.5
        return x * keras.ops.reshape(self.scale, shape) + keras.ops.reshape(self.offset, shape) if self.affine else x

    def eval(self):
        self.training = False
        return self


def _LayerNorm(normalized_shape, eps=1e-05, elementwise_affine=True):
    n = len(normalized_shape) if isinstance(normalized_shape, (list, tuple)) else 1
    return _Layer(keras.layers.LayerNormalization(axis=tuple(range(-n, 0)), epsilon=eps, center=elementwise_affine, scale=elementwise_affine))


def _Embedding(num_embeddings, embedding_dim):
    return _Layer(keras.layers.Embedding(num_embeddings, embedding_dim))


def _Flatten(start_dim=1, end_dim=-1):
    return lambda x: _flatten(x, start_dim, end_dim)


def _flatten(x, start_dim=0, end_dim=-1):
    shape = list(x.shape)
    end = end_dim % max(len(shape), 1)
    return keras.ops.reshape(x, shape[:start_dim] + [-1] + shape[end + 1:])


def _clamp(x, min=None, max=None):
    x = x if min is None else keras.ops.maximum(x, min)
    return x if max is None else keras.ops.minimum(x, max)


def _conv_transposed(n, x, weight, bias=None, stride=1, padding=0, output_padding=0, groups=1, dilation=1):
    batched = len(x.shape) == n + 2
    x = x if batched else x[None]
    stride, dilation = _each(n, stride), _each(n, dilation)
    parts = zip(keras.ops.split(x, groups, 1), keras.ops.split(weight, groups, 0)) if groups > 1 else [(x, weight)]
    make = lambda a, w: _nchw(keras.ops.conv_transpose(_nhwc(a), _hwio(w), stride, "valid", data_format="channels_last", dilation_rate=dilation))  # noqa: E731
    y = keras.ops.concatenate([make(a, w) for a, w in parts], 1)
    sizes = [(int(i) - 1) * s + d * (int(k) - 1) + 1 for i, s, d, k in zip(x.shape[2:], stride, dilation, weight.shape[2:])]
    y = y[(slice(None), slice(None), *(slice(0, size) for size in sizes))]
    rows = [[0, max(size - int(have), 0) + o] for size, have, o in zip(sizes, y.shape[2:], _each(n, output_padding))]
    y = keras.ops.pad(y, [[0, 0], [0, 0], *rows]) if np.any(rows) else y
    y = y[(slice(None), slice(None), *(slice(p, int(d) - p) for p, d in zip(_each(n, padding), y.shape[2:])))]
    y = y if bias is None else y + keras.ops.reshape(bias, (1, -1) + (1,) * n)
    return y if batched else y[0]


def _attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None):
    swap = lambda x: keras.ops.swapaxes(x, 1, 2)  # noqa: E731
    return swap(keras.ops.dot_product_attention(swap(q), swap(k), swap(v), mask=attn_mask, is_causal=is_causal, scale=scale))


def _shuffle(x, r):
    n, c, h, w = x.shape
    x = keras.ops.reshape(x, (n, c // (r * r), r, r, h, w))
    return keras.ops.reshape(keras.ops.transpose(x, (0, 1, 4, 2, 5, 3)), (n, c // (r * r), h * r, w * r))


class _Exported:
    def __init__(self, f):
        self.f = f

    def module(self):
        return self.f


def _exported(f, args=(), kwargs=None, **_):
    traced = tf.function(f, autograph=False)
    traced.get_concrete_function(*args, **(kwargs or {}))
    return _Exported(traced)


def _linear(x, weight, bias=None):
    y = keras.ops.matmul(x, _t(weight))
    return y if bias is None else y + bias


def _split(x, size, dim=0):
    n = int(x.shape[dim])
    sizes = size if isinstance(size, (list, tuple)) else [size] * (n // size) + ([n % size] if n % size else [])
    return tf.split(x, sizes, axis=dim)


def _chunk(x, chunks, dim=0):
    n = int(x.shape[dim])
    return _split(x, -(-n // chunks), dim)


def _argsort(x, dim=-1, descending=False, stable=False):
    return tf.argsort(x, axis=dim, direction="DESCENDING" if descending else "ASCENDING", stable=stable)


def _sort(x, dim=-1, descending=False, stable=False):
    order = _argsort(x, dim, descending, True)
    return keras.ops.take_along_axis(x, order, axis=dim), order


def _topk(x, k, dim=-1, largest=True, sorted=True):
    y = keras.ops.moveaxis(x, dim, -1)
    if largest:
        values, places = tf.math.top_k(y, k, sorted=sorted)
    else:
        places = tf.argsort(y, axis=-1, stable=True)[..., :k]
        values = keras.ops.take_along_axis(y, places, axis=-1)
    return keras.ops.moveaxis(values, -1, dim), keras.ops.moveaxis(places, -1, dim)


def _extreme(value, index, other, x, dim=None, keepdim=False):
    if dim is None:
        return value(x)
    if keras.ops.is_tensor(dim):
        return other(x, dim)
    return value(x, axis=dim, keepdims=keepdim), index(x, axis=dim, keepdims=keepdim)



# Elements that are read and written ----------------------------------------------------------------


def _fixed(index):
    """An index without tensors, as NumPy takes it."""
    if isinstance(index, tuple):
        return tuple(_fixed(i) for i in index)
    return keras.ops.convert_to_numpy(index) if keras.ops.is_tensor(index) else index


def _places(x, index):
    """The positions, in the flattened tensor, of the elements of an index."""
    return np.arange(int(np.prod(x.shape))).reshape(x.shape)[_fixed(index)]


def _get(x, index):
    if not keras.ops.is_tensor(x):
        return x[int(index) if keras.ops.is_tensor(index) else index]
    if isinstance(index, int) or (keras.ops.is_tensor(index) and not len(index.shape) and index.dtype != "bool"):
        return x[index]
    places = _places(x, index)
    return keras.ops.reshape(keras.ops.take(keras.ops.reshape(x, (-1,)), places.reshape(-1), axis=0), places.shape)


def _set(x, index, value):
    if not keras.ops.is_tensor(x):
        x[index] = value
        return x
    places = _places(x, index)
    value = keras.ops.broadcast_to(keras.ops.cast(value, x.dtype), places.shape)
    flat = tf.tensor_scatter_nd_update(keras.ops.reshape(x, (-1,)), places.reshape(-1, 1), keras.ops.reshape(value, (-1,)))
    return keras.ops.reshape(flat, x.shape)


def _copied(x, other, non_blocking=False):
    return keras.ops.broadcast_to(keras.ops.cast(other, x.dtype), x.shape)


def _strided(x, size, stride, storage_offset=0):
    places = sum(np.arange(n).reshape(-1, *(1,) * (len(size) - 1 - i)) * s for i, (n, s) in enumerate(zip(size, stride)))
    places = np.broadcast_to(places + storage_offset, size)
    return keras.ops.reshape(keras.ops.take(keras.ops.reshape(x, (-1,)), places.reshape(-1), axis=0), size)


def _index_add(x, dim, index, source, alpha=1):
    x, source = keras.ops.moveaxis(x, dim, 0), keras.ops.moveaxis(source, dim, 0)
    return keras.ops.moveaxis(tf.tensor_scatter_nd_add(x, index[:, None], source * alpha), 0, dim)


# Gradients: one tape records all ------------------------------------------------------------------

_tape, _leaves, _grads, _recording = tf.GradientTape(persistent=True), [], {}, []


def _record():
    if not _recording:
        _recording.append(_tape.__enter__())


def _watch(x, on=True):
    _record()
    if on and keras.ops.is_tensor(x) and x.dtype.is_floating:
        _tape.watch(x)
        _leaves.append(x)
    return x


def _variables(x):
    return [v.value if isinstance(v, keras.Variable) else v for v in x]


def _backward(y, gradient=None, retain_graph=None, **_):
    leaves = [*_leaves, *_tape.watched_variables()]
    for leaf, g in zip(leaves, _tape.gradient(y, leaves, gradient)):
        if g is not None:
            g = tf.convert_to_tensor(g)
            _grads[id(leaf)] = _grads[id(leaf)] + g if id(leaf) in _grads else g


def _grad_of(x):
    return _grads.get(id(_variables([x])[0]))


def _gradients(y, inputs, grad_outputs=None, **_):
    found = _tape.gradient(y, _variables(_list(inputs)), grad_outputs)
    return tuple(None if g is None else tf.convert_to_tensor(g) for g in found)


def _parameters(model, recurse=True):
    return list(model.trainable_variables)


class _Optimizer:
    """An optimiser over a list of parameters, with the gradients of the tape."""

    def __init__(self, make, parameters, names, **settings):
        groups = list(parameters)
        if groups and isinstance(groups[0], dict):
            groups = [p for g in groups for p in g["params"]]
        self.parameters = [p for p in groups if isinstance(p, keras.Variable)]
        self.made = make(**{names.get(k, k): v for k, v in settings.items() if k in names})

    def zero_grad(self, set_to_none=True):
        _grads.clear()

    def step(self, closure=None):
        loss = closure() if closure else None
        pairs = [(_grad_of(p), p) for p in self.parameters]
        self.made.apply_gradients([(g, p) for g, p in pairs if g is not None])
        return loss


_SGD = {"lr": "learning_rate", "momentum": "momentum", "nesterov": "nesterov"}
_ADAM = {"lr": "learning_rate", "eps": "epsilon", "weight_decay": "weight_decay", "amsgrad": "amsgrad"}


def _sgd(parameters, lr=1e-3, **settings):
    return _Optimizer(keras.optimizers.SGD, parameters, _SGD, lr=lr, **settings)


def _adam(parameters, lr=1e-3, eps=1e-8, **settings):
    return _Optimizer(keras.optimizers.Adam, parameters, _ADAM, lr=lr, eps=eps, **settings)


def _adamw(parameters, lr=1e-3, eps=1e-8, weight_decay=1e-2, **settings):
    return _Optimizer(keras.optimizers.AdamW, parameters, _ADAM, lr=lr, eps=eps, weight_decay=weight_decay, **settings)


# More operators -----------------------------------------------------------------------------------


def _reduced(loss, reduction, weight=None):
    if weight is not None and reduction == "mean":
        return keras.ops.sum(loss) / keras.ops.sum(weight)
    return {"mean": keras.ops.mean, "sum": keras.ops.sum}.get(reduction, lambda v: v)(loss)


def _nll(x, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
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
    return keras.ops.sum(loss) / x.shape[0] if reduction == "batchmean" else _reduced(loss, reduction)


def _group_norm(x, num_groups, weight=None, bias=None, eps=1e-05):
    shape = tuple(x.shape)
    y = keras.ops.reshape(x, (shape[0], num_groups, -1))
    mean, variance = keras.ops.moments(y, -1, keepdims=True)
    y = keras.ops.reshape((y - mean) / keras.ops.sqrt(variance + eps), shape)
    wide = (1, -1) + (1,) * (len(shape) - 2)
    y = y if weight is None else y * keras.ops.reshape(weight, wide)
    return y if bias is None else y + keras.ops.reshape(bias, wide)


def _instance_norm(x, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-05):
    return _group_norm(x, x.shape[1], weight, bias, eps)


def _batch_norm(x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
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


def _bag(x, weight, offsets=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode="mean", sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=None):
    if offsets is None:
        rows, offsets = int(x.shape[0]), np.arange(int(x.shape[0])) * int(x.shape[1])
        x = keras.ops.reshape(x, (-1,))
        per_sample_weights = None if per_sample_weights is None else keras.ops.reshape(per_sample_weights, (-1,))
    else:
        offsets = keras.ops.convert_to_numpy(offsets)
        rows = len(offsets) - 1 if include_last_offset else len(offsets)
    places = np.arange(int(x.shape[0]))
    of = np.searchsorted(offsets[:rows], places, side="right") - 1
    kept = places if padding_idx is None else places[keras.ops.convert_to_numpy(x) != padding_idx]
    parts = tf.gather(weight, x)
    parts = parts if per_sample_weights is None else parts * per_sample_weights[:, None]
    pick = {"sum": tf.math.unsorted_segment_sum, "mean": tf.math.unsorted_segment_mean, "max": tf.math.unsorted_segment_max}[mode]
    return pick(tf.gather(parts, kept), of[kept], rows)


def _copysign(x, y):
    sign = keras.ops.where(tf.experimental.numpy.signbit(keras.ops.cast(y, x.dtype)), -1, 1)
    return keras.ops.abs(x) * keras.ops.cast(sign, x.dtype)


def _prod(x, dim=None, keepdim=False, dtype=None):
    return keras.ops.prod(x, axis=dim, keepdims=keepdim, dtype=dtype)


def _sum(x, dim=None, keepdim=False, dtype=None):
    dtype = dtype or ("int64" if x.dtype.is_integer or x.dtype == "bool" else None)
    return keras.ops.sum(x if dtype is None else keras.ops.cast(x, dtype), axis=dim, keepdims=keepdim)


def _mean(x, dim=None, keepdim=False, dtype=None):
    return keras.ops.mean(x if dtype is None else keras.ops.cast(x, dtype), axis=dim, keepdims=keepdim)


def _variance(x, dim=None, unbiased=True, keepdim=False, correction=None):
    correction = int(bool(unbiased)) if correction is None else correction
    if isinstance(dim, bool):
        dim, correction = None, int(dim)
    axes = range(len(x.shape)) if dim is None else _list(dim)
    n = int(np.prod([x.shape[a] for a in axes]))
    return keras.ops.var(x, axis=dim, keepdims=keepdim) * (n / max(n - correction, 0) if n > correction else float("nan"))


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


def _max_pool_indices(n, x, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=True):
    if n != 2 or dilation != 1 or ceil_mode or padding:
        raise NotImplementedError("indices of this pooling")
    y = tf.nn.max_pool_with_argmax(_nhwc(x), _each(2, kernel_size), _each(2, stride or kernel_size), "VALID")
    channels = int(x.shape[1])
    return _nchw(y.output), _nchw(y.argmax // channels)


def _unpool(n, x, indices, kernel_size, stride=None, padding=0, output_size=None):
    stride, size = _each(n, stride or kernel_size), _each(n, kernel_size)
    inside = output_size or [(int(d) - 1) * s + k - 2 * p for d, s, k, p in zip(x.shape[-n:], stride, size, _each(n, padding))]
    inside = list(inside)[-n:]
    lead = [int(d) for d in x.shape[:-n]]
    flat, places = (keras.ops.reshape(v, (int(np.prod(lead)), -1)) for v in (x, indices))
    rows = keras.ops.broadcast_to(keras.ops.arange(int(np.prod(lead)), dtype="int64")[:, None], places.shape)
    where = keras.ops.stack([rows, keras.ops.cast(places, "int64")], -1)
    y = tf.tensor_scatter_nd_update(keras.ops.zeros((int(np.prod(lead)), int(np.prod(inside))), dtype=x.dtype), tf.reshape(where, (-1, 2)), tf.reshape(flat, (-1,)))
    return keras.ops.reshape(y, (*lead, *inside))


class _LSTM(_Model):
    """Layers and directions of torch.nn.LSTM, with its seeded weights."""

    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False):
        super().__init__()
        self.batch_first, self.sizes, self.bias, self.ready = batch_first, (input_size, hidden_size), bias, False
        make = lambda back: keras.layers.LSTM(hidden_size, use_bias=bias, return_sequences=True, return_state=True, go_backwards=back)  # noqa: E731
        self.rows = [[make(back) for back in ((False, True) if bidirectional else (False,))] for _ in range(num_layers)]

    def _fill(self, layer, number):
        kernel, recurrent, *rest = layer.trainable_weights
        _seed(kernel, number, (1, 0))
        _seed(recurrent, number + 1, (1, 0))
        if rest:
            n = int(rest[0].shape[0])
            rest[0].assign(sum(np.sin(np.arange(n) * 0.7 + number + k) * 0.5 for k in (2, 3)))

    def _run(self, x, state):
        number, ends = 0, []
        for row in self.rows:
            outs = []
            for layer in row:
                at = len(ends)
                begin = None if state is None else [state[0][at], state[1][at]]
                y, h, c = layer(x, initial_state=begin)
                outs.append(keras.ops.flip(y, 1) if layer.go_backwards else y)
                ends.append((h, c))
                if not self.ready:
                    self._fill(layer, number)
                number += 4 if self.bias else 2
            x = keras.ops.concatenate(outs, -1) if len(outs) > 1 else outs[0]
        return x, ends

    def forward(self, x, state=None):
        single = len(x.shape) == 2
        x = x[None] if single else x if self.batch_first else _swap01(x)
        if single and state is not None:
            state = tuple(s[:, None] for s in state)
        if not self.ready:
            self._run(x, state)
            self.ready = True
        y, ends = self._run(x, state)
        h, c = (keras.ops.stack(part, 0) for part in zip(*ends))
        if single:
            return y[0], (h[:, 0], c[:, 0])
        return y if self.batch_first else _swap01(y), (h, c)


class _ModuleList(_Model):
    def __init__(self, parts=()):
        super().__init__(name="module_list")
        self.parts = list(parts)

    def __iter__(self):
        return iter(self.parts)

    def __len__(self):
        return len(self.parts)

    def __getitem__(self, at):
        return self.parts[at]

    def append(self, part):
        self.parts.append(part)
        return self


def _open_dim(name=None, min=None, max=None):
    """A dimension of an exported function that may have any size."""
    return _open_dim


def _same(f):
    return f


def _sizes(shape, size=None):
    shape = size if size is not None else shape
    return tuple(int(d) for d in (shape[0] if len(shape) == 1 and hasattr(shape[0], "__len__") else shape))


def _zeros(*shape, dtype=None, size=None, **_):
    return keras.ops.zeros(_sizes(shape, size), dtype=dtype or keras.config.floatx())


def _ones(*shape, dtype=None, size=None, **_):
    return keras.ops.ones(_sizes(shape, size), dtype=dtype or keras.config.floatx())


def _like(make, x, dtype=None, **_):
    return make(x, dtype=dtype)


def _full_like(x, value, dtype=None, **_):
    return keras.ops.full_like(x, value, dtype=dtype)


def _multinomial(weights, num_samples, replacement=False, **_):
    rows = weights if len(weights.shape) == 2 else weights[None]
    if replacement:
        picked = keras.random.categorical(keras.ops.log(rows), num_samples, dtype="int64")
    else:
        noise = keras.random.uniform(rows.shape)
        picked = tf.math.top_k(keras.ops.log(keras.ops.cast(rows, "float32")) - keras.ops.log(-keras.ops.log(noise)), num_samples).indices
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
    return (keras.ops.clip(keras.ops.round(x / scale) + zero_point, quant_min, quant_max) - zero_point) * scale


def _grad_function(f, argnums=0, has_aux=False):
    def call(*args, **keys):
        watched = _watch(args[argnums])
        with tf.GradientTape() as tape:
            tape.watch(watched)
            y = f(*args, **keys)
        return tape.gradient(y, watched)

    return call


def _view(x, *shape):
    """Another shape, or the same bytes as another dtype."""
    if isinstance(shape[0], str):
        return tf.bitcast(x, shape[0]) if x.dtype != shape[0] else x
    return keras.ops.reshape(x, _sizes(shape))


def _interpolated(x, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None, antialias=False):
    return _interpolate(x, size, scale_factor, mode, align_corners)


def _stored(x, value):
    """What a change in place leaves under the name: a variable keeps its identity."""
    if isinstance(x, keras.Variable):
        x.assign(value)
        return x
    return value
