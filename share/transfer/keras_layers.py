# Modules and optimisers of PyTorch as layers and optimisers of Keras; weights are seeded by position.


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
        self.layer, self.first, self.axes, self.before, self.ready = (
            layer,
            first,
            axes,
            before,
            False,
        )

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


def _ConvLayer(
    n,
    in_channels,
    out_channels,
    kernel_size,
    stride=1,
    padding=0,
    dilation=1,
    groups=1,
    bias=True,
    dtype=None,
):
    make = (keras.layers.Conv1D, keras.layers.Conv2D, keras.layers.Conv3D)[n - 1]
    explicit = None if isinstance(padding, str) else lambda x: _padded(x, n, padding)
    layer = make(
        out_channels,
        _each(n, kernel_size),
        _each(n, stride),
        "valid" if explicit else padding,
        dilation_rate=_each(n, dilation),
        groups=groups,
        use_bias=bias,
    )
    return _Layer(layer, True, (*range(2, n + 2), 1, 0), explicit)


class _TransposedLayer(_Model):
    """torch.nn.ConvTranspose1d to 3d with seeded weights."""

    def __init__(
        self,
        n,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
        padding_mode="zeros",
        dtype=None,
    ):
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

    def __init__(
        self,
        num_features,
        eps=1e-05,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        dtype=None,
    ):
        super().__init__()
        self.eps, self.training, self.affine = eps, True, affine
        values = [
            (np.sin(np.arange(num_features) * 0.7 + i) * 0.5).astype("float32") for i in (0, 1)
        ]
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
        return (
            x * keras.ops.reshape(self.scale, shape) + keras.ops.reshape(self.offset, shape)
            if self.affine
            else x
        )

    def eval(self):
        self.training = False
        return self


class _InstanceNorm(keras.layers.Layer):
    def __init__(
        self,
        num_features,
        eps=1e-05,
        momentum=0.1,
        affine=False,
        track_running_stats=False,
        dtype=None,
    ):
        super().__init__()
        self.eps = eps
        self.weights_of = _BatchNorm(num_features) if affine else None

    def call(self, x):
        if int(np.prod(x.shape[2:])) == 1:
            raise ValueError("Expected more than 1 spatial element when training")
        scale, offset = (
            (self.weights_of.scale, self.weights_of.offset) if self.weights_of else (None, None)
        )
        return _instance_norm(x, weight=scale, bias=offset, eps=self.eps)

    def eval(self):
        return self


def _adaptive_layer(pool, n, output_size, return_indices=False):
    return lambda x: _adaptive(pool, n, x, output_size, return_indices)


def _upsample(size=None, scale_factor=None, mode="nearest", align_corners=None, recompute=None):
    return lambda x: _interpolate(x, size, scale_factor, mode, align_corners)


def _loss(f, *settings, **named):
    """A loss as a module; its first settings by position are those behind input and target."""
    return lambda x, y: f(x, y, *settings, **named)


def _LayerNorm(normalized_shape, eps=1e-05, elementwise_affine=True):
    n = len(normalized_shape) if isinstance(normalized_shape, (list, tuple)) else 1
    return _Layer(
        keras.layers.LayerNormalization(
            axis=tuple(range(-n, 0)),
            epsilon=eps,
            center=elementwise_affine,
            scale=elementwise_affine,
        )
    )


def _Embedding(num_embeddings, embedding_dim):
    return _Layer(keras.layers.Embedding(num_embeddings, embedding_dim))


def _Flatten(start_dim=1, end_dim=-1):
    return lambda x: _flatten(x, start_dim, end_dim)


def _exported(f, args=(), kwargs=None, **_):
    traced = tf.function(f, autograph=False)
    traced.get_concrete_function(*args, **(kwargs or {}))
    return _Exported(traced)


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
_ADAM = {
    "lr": "learning_rate",
    "eps": "epsilon",
    "weight_decay": "weight_decay",
    "amsgrad": "amsgrad",
}


def _sgd(parameters, lr=1e-3, **settings):
    return _Optimizer(keras.optimizers.SGD, parameters, _SGD, lr=lr, **settings)


def _adam(parameters, lr=1e-3, eps=1e-8, **settings):
    return _Optimizer(keras.optimizers.Adam, parameters, _ADAM, lr=lr, eps=eps, **settings)


def _adamw(parameters, lr=1e-3, eps=1e-8, weight_decay=1e-2, **settings):
    return _Optimizer(
        keras.optimizers.AdamW,
        parameters,
        _ADAM,
        lr=lr,
        eps=eps,
        weight_decay=weight_decay,
        **settings,
    )


class _LSTM(_Model):
    """Layers and directions of torch.nn.LSTM, with its seeded weights."""

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
    ):
        super().__init__()
        self.batch_first, self.sizes, self.bias, self.ready = (
            batch_first,
            (input_size, hidden_size),
            bias,
            False,
        )
        make = lambda back: keras.layers.LSTM(
            hidden_size, use_bias=bias, return_sequences=True, return_state=True, go_backwards=back
        )  # noqa: E731
        self.rows = [
            [make(back) for back in ((False, True) if bidirectional else (False,))]
            for _ in range(num_layers)
        ]

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


class _ModuleList(_List, _Model):
    def __init__(self, parts=()):
        super().__init__(name="module_list")
        self.parts = list(parts)
