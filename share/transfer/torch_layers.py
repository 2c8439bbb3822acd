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

    def compile(self, *_, jit_compile=False, **__):
        """Optimizer, loss and metrics are of training only."""
        if jit_compile is True:
            super().compile()


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
        data_format=None,
        dilation_rate=1,
        groups=1,
        activation=None,
        use_bias=True,
        **_,
    ):
        super().__init__()
        if padding == "causal":
            raise NotImplementedError(padding)
        self.n, self.filters, self.size = n, filters, _spatial(kernel_size, n)
        self.groups, self.rest = groups, (strides, padding, data_format, dilation_rate)
        self.activation, self.use_bias = activation, use_bias

    def call(self, x):
        channels = x.shape[1 if _channels_first(self.rest[2]) else -1]
        w = _seeded(0, (*self.size, channels // self.groups, self.filters)).to(x.dtype)
        return self.ended(_conv(self.n, x, w, *self.rest), self.rest[2])

    def ended(self, y, data_format):
        """The bias is added, then the activation computed."""
        if self.use_bias:
            shape = (-1, *[1] * self.n) if _channels_first(data_format) else (-1,)
            y = y + _seeded(1, (self.filters,)).to(y.dtype).reshape(shape)
        return _activated(self.activation, y)


class _ConvolutionTransposed(_Convolution):
    def __init__(
        self,
        n,
        filters,
        kernel_size,
        strides=1,
        padding="valid",
        output_padding=None,
        data_format=None,
        dilation_rate=1,
        **more,
    ):
        super().__init__(
            n, filters, kernel_size, strides, padding, data_format, dilation_rate, **more
        )
        if output_padding is not None:
            raise NotImplementedError("output_padding")

    def call(self, x):
        strides, padding, data_format, dilation = self.rest
        strides, dilation = _spatial(strides, self.n), _spatial(dilation, self.n)
        first = _channels_first(data_format)
        w = _seeded(0, (*self.size, self.filters, x.shape[1 if first else -1])).to(x.dtype)
        given = x.shape[2:] if first else x.shape[1:-1]
        sizes = [
            m * s + (max((k - 1) * d + 1 - s, 0) if padding == "valid" else 0)
            for m, s, k, d in zip(given, strides, self.size, dilation)
        ]
        y = _conv_transposed(self.n, x, w, sizes, strides, padding, data_format, dilation)
        return self.ended(y, data_format)


class _Recurrent(_Model):
    """LSTM or GRU: PyTorch's layer with the weights of Keras; a mask may leave out the end only."""

    def __init__(
        self,
        make,
        units,
        activation="tanh",
        recurrent_activation="sigmoid",
        use_bias=True,
        return_sequences=False,
        return_state=False,
        go_backwards=False,
        reset_after=True,
        **_,
    ):
        super().__init__()
        rules = activation, recurrent_activation, reset_after, go_backwards
        if rules != ("tanh", "sigmoid", True, False):
            raise NotImplementedError("options of a recurrent layer")
        self.make, self.units, self.use_bias, self.both = make, units, use_bias, False
        self.sequences, self.state = return_sequences, return_state

    def weights(self, inputs):
        """Of PyTorch's layer; its gates of a GRU are in another order."""
        u, lstm = self.units, self.make is torch.nn.LSTM
        gates = [0, 1, 2, 3] if lstm else [1, 0, 2]
        ordered = lambda w: torch.cat([w[..., g * u : (g + 1) * u] for g in gates], -1)  # noqa: E731
        n = len(gates) * u
        rows = [ordered(_seeded(0, (inputs, n))).T, ordered(_seeded(1, (u, n))).T]
        if self.use_bias and lstm:
            rows += [ordered(_seeded(2, (n,))), torch.zeros(n)]
        elif self.use_bias:
            rows += list(ordered(_seeded(2, (2, n))))
        return rows * (2 if self.both else 1)

    def call(self, x, mask=None, training=False):
        net = self.make(x.shape[-1], self.units, 1, self.use_bias, True, 0.0, self.both)
        for p, w in zip(net.parameters(), self.weights(x.shape[-1])):
            p.data.copy_(w)
        y, state = net(x) if mask is None else self.masked(net, x, _tensor(mask))
        state = list(state) if isinstance(state, tuple) else [state]
        last = torch.cat(list(state[0]), -1)
        if mask is not None and not self.both:
            y = torch.where(_tensor(mask).unsqueeze(-1), y, last.unsqueeze(1))
        y = y if self.sequences else last
        return [y, *(torch.cat(list(s), -1) for s in state)] if self.state else y

    def masked(self, net, x, mask):
        """Zeros where the mask is off, where a layer of one direction repeats its last output."""
        lengths = mask.sum(1)
        at_end = torch.arange(x.shape[1]) >= lengths.unsqueeze(1)
        if (mask == at_end).any() or (lengths == 0).any():
            raise NotImplementedError("mask before the end")
        rnn = torch.nn.utils.rnn
        packed = rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        y, state = net(packed)
        y, _ = rnn.pad_packed_sequence(y, batch_first=True, total_length=x.shape[1])
        return y, state


def _Bidirectional(layer, merge_mode="concat", **_):
    if merge_mode != "concat" or not isinstance(layer, _Recurrent) or layer.state:
        raise NotImplementedError("merge_mode or layer")
    both = _Recurrent(layer.make, layer.units, use_bias=layer.use_bias)
    both.both, both.sequences = True, layer.sequences
    return both


class _Function(_Model):
    """A layer without weights."""

    def __init__(self, f):
        super().__init__()
        self.f = f

    def call(self, x, training=False):
        return self.f(x)


def _PoolLayer(pool, n, pool_size=2, strides=None, padding="valid", data_format=None, **_):
    return _Function(lambda x: pool(n, x, pool_size, strides or pool_size, padding, data_format))


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
        data_format=None,
        dilation_rate=1,
        activation=None,
        use_bias=True,
        **_,
    ):
        super().__init__()
        _channels_last(data_format)
        self.size, self.rest = _spatial(kernel_size, 2), (strides, padding, None, dilation_rate)
        self.n, self.activation, self.use_bias = depth_multiplier, activation, use_bias

    def call(self, x):
        y = _depthwise(x, _seeded(0, (*self.size, x.shape[-1], self.n)), *self.rest)
        return _activated(self.activation, y + _seeded(1, (y.shape[-1],)) if self.use_bias else y)


def _channels_last(data_format):
    if _channels_first(data_format):
        raise NotImplementedError(data_format)


def _GlobalPool(f, n, data_format=None, keepdims=False, **_):
    start = 2 if _channels_first(data_format) else 1
    return _Function(lambda x: f(x, tuple(range(start, start + n)), keepdims))


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


def _Padding(n, padding=1, data_format=None, **_):
    _channels_last(data_format)
    return _Function(lambda x: _pad(x, [(0, 0), *_rows(padding, n), (0, 0)]))


def _Cropping(n, cropping=1, data_format=None, **_):
    _channels_last(data_format)
    return _Function(lambda x: _pad(x, [(0, 0), *[(-a, -b) for a, b in _rows(cropping, n)], (0, 0)]))


def _UpSampling(n, size=2, data_format=None, interpolation="nearest", **_):
    _channels_last(data_format)

    def grown(x):
        sizes = [s * k for s, k in zip(x.shape[1:-1], _spatial(size, n))]
        mode = interpolation if interpolation != "nearest" else "nearest-exact"
        return _nhwc(torch.nn.functional.interpolate(_nchw(x), size=sizes, mode=mode))

    return _Function(grown)


def _Reshape(target_shape, **_):
    return _Function(lambda x: torch.reshape(x, (x.shape[0], *target_shape)))


def _Permute(dims, **_):
    return _Function(lambda x: x.permute(0, *dims))
