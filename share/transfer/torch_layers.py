# Helpers of programs that are translated to PyTorch from TensorFlow: layers and models of Keras.


def _seeded(number, shape):
    value = np.sin(np.arange(int(np.prod(shape))) * 0.7 + number) * 0.5
    return torch.from_numpy(value.reshape(shape)).float()


class _Symbol:
    """What keras.Input stands for: a value that a model computes when it is called."""

    def __init__(self, layer=None, given=()):
        self.layer, self.given = layer, given

    def value(self, known):
        if self not in known:
            known[self] = self.layer(*_values(self.given, known))
        return known[self]


def _values(x, known):
    if isinstance(x, (list, tuple)):
        return type(x)(_values(v, known) for v in x)
    return x.value(known) if isinstance(x, _Symbol) else x


def _has_symbol(x):
    return isinstance(x, _Symbol) or (isinstance(x, (list, tuple)) and any(map(_has_symbol, x)))


class _Model(torch.nn.Module):
    """Calls go to the method call, or to the layers between inputs and outputs; layers are built
    when they see their first input."""

    def __init__(self, inputs=None, outputs=None, **_):
        super().__init__()
        self.ends = inputs, outputs

    def __call__(self, *args, **keys):
        return _Symbol(self, args) if _has_symbol(args) else super().__call__(*args, **keys)

    def forward(self, *args, **keys):
        return self.call(*args, **keys)

    def call(self, x, training=False):
        inputs, outputs = self.ends
        pairs = zip(inputs, x) if isinstance(inputs, (list, tuple)) else [(inputs, x)]
        return _values(outputs, {symbol: _tensor(value) for symbol, value in pairs})

    def predict(self, x, **_):
        return self(_tensor(x)).detach().numpy()


def _activated(name, x):
    if name is None or name == "linear":
        return x
    if callable(name):
        return name(x)
    if name == "softmax":
        return torch.softmax(x, -1)
    return {"swish": torch.nn.functional.silu}.get(name) or getattr(torch.nn.functional, name)(x)


class _Dense(_Model):
    def __init__(self, units, activation=None, use_bias=True, **_):
        super().__init__()
        if units <= 0:
            raise ValueError("units must be positive")
        self.units, self.activation, self.use_bias = units, activation, use_bias

    def call(self, x):
        w = _seeded(0, (x.shape[-1], self.units)).to(x.dtype)
        y = torch.matmul(x, w)
        y = y + _seeded(1, (self.units,)).to(x.dtype) if self.use_bias else y
        return _activated(self.activation, y)


class _Convolution(_Model):
    def __init__(
        self,
        n,
        filters,
        kernel_size,
        strides=1,
        padding="valid",
        activation=None,
        use_bias=True,
        **_,
    ):
        super().__init__()
        self.n, self.filters, self.size = n, filters, _spatial(kernel_size, n)
        self.rest, self.activation, self.use_bias = (strides, padding), activation, use_bias

    def call(self, x):
        w = _seeded(0, (*self.size, x.shape[-1], self.filters))
        y = _conv(self.n, x, w, *self.rest)
        return _activated(self.activation, y + _seeded(1, (self.filters,)) if self.use_bias else y)


class _Function(_Model):
    """A layer without weights."""

    def __init__(self, f):
        super().__init__()
        self.f = f

    def call(self, x, training=False):
        return self.f(x)


def _PoolLayer(pool, n, pool_size=2, strides=None, padding="valid", **_):
    return _Function(lambda x: pool(n, x, pool_size, strides or pool_size, padding))


class _Sequence(_Model):
    def __init__(self, layers=(), **_):
        super().__init__()
        self.parts = [part for part in layers if part is not None]

    def add(self, layer):
        if layer is not None:
            self.parts.append(layer)

    def call(self, x, training=False):
        for part in self.parts:
            x = part(x)
        return x


class _BatchNorm(_Model):
    """Not trained: the mean is 0 and the variance 1."""

    def __init__(self, axis=-1, momentum=0.99, epsilon=0.001, center=True, scale=True, **_):
        super().__init__()
        self.axis, self.epsilon, self.center, self.scale = axis, epsilon, center, scale

    def call(self, x, training=False):
        n, shape = 0, [1] * x.ndim
        shape[self.axis] = x.shape[self.axis]
        dims = [d for d in range(x.ndim) if d != self.axis % x.ndim]
        mean = torch.mean(x, dims, keepdim=True) if training else 0
        var = torch.var(x, dims, correction=0, keepdim=True) if training else 1
        y = (x - mean) / (var + self.epsilon) ** 0.5
        if self.scale:
            y, n = y * _seeded(n, (x.shape[self.axis],)).reshape(shape), 1
        return y + _seeded(n, (x.shape[self.axis],)).reshape(shape) if self.center else y


class _LayerNorm(_Model):
    def __init__(self, axis=-1, epsilon=0.001, center=True, scale=True, **_):
        super().__init__()
        self.axis, self.epsilon, self.center, self.scale = axis, epsilon, center, scale

    def call(self, x):
        if self.axis not in (-1, x.ndim - 1):
            raise NotImplementedError("axis")
        shape = (x.shape[-1],)
        weight = _seeded(0, shape) if self.scale else None
        bias = _seeded(int(self.scale), shape) if self.center else None
        return torch.nn.functional.layer_norm(x, shape, weight, bias, self.epsilon)


class _Embedding(_Model):
    def __init__(self, input_dim, output_dim, **_):
        super().__init__()
        self.shape = input_dim, output_dim

    def call(self, x):
        return torch.nn.functional.embedding(_tensor(x).long(), _seeded(0, self.shape))


class _DepthwiseLayer(_Model):
    def __init__(
        self,
        kernel_size,
        strides=1,
        padding="valid",
        depth_multiplier=1,
        activation=None,
        use_bias=True,
        **_,
    ):
        super().__init__()
        self.size, self.rest = _spatial(kernel_size, 2), (_spatial(strides, 2), padding)
        self.n, self.activation, self.use_bias = depth_multiplier, activation, use_bias

    def call(self, x):
        y = _depthwise(x, _seeded(0, (*self.size, x.shape[-1], self.n)), *self.rest)
        return _activated(self.activation, y + _seeded(1, (y.shape[-1],)) if self.use_bias else y)


def _GlobalPool(f, n, keepdims=False, **_):
    return _Function(lambda x: f(x, tuple(range(1, n + 1)), keepdims))


def _Merge(f, **_):
    def merged(parts):
        y = parts[0]
        for part in parts[1:]:
            y = f(y, part)
        return y

    return _Function(merged)


def _rows(v, n):
    """Padding of a layer as one pair for each dimension."""
    v = v if isinstance(v, (list, tuple)) else (v,) * n
    if n == 1 and len(v) == 2:
        return [tuple(v)]
    return [tuple(r) if isinstance(r, (list, tuple)) else (r, r) for r in v]


def _Padding(n, padding=1, **_):
    return _Function(lambda x: _pad(x, [(0, 0), *_rows(padding, n), (0, 0)]))


def _Cropping(n, cropping=1, **_):
    return _Function(lambda x: _pad(x, [(0, 0), *[(-a, -b) for a, b in _rows(cropping, n)], (0, 0)]))


def _UpSampling(n, size=2, interpolation="nearest", **_):
    def grown(x):
        sizes = [s * k for s, k in zip(x.shape[1:-1], _spatial(size, n))]
        mode = interpolation if interpolation != "nearest" else "nearest-exact"
        return _nhwc(torch.nn.functional.interpolate(_nchw(x), size=sizes, mode=mode))

    return _Function(grown)


def _Reshape(target_shape, **_):
    return _Function(lambda x: torch.reshape(x, (x.shape[0], *target_shape)))


def _Permute(dims, **_):
    return _Function(lambda x: x.permute(0, *dims))
