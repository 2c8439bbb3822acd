# Modules of PyTorch as objects over JAX; weights are seeded by position.


def _seed(number, shape):
    value = np.sin(np.arange(int(np.prod(shape))) * 0.7 + number) * 0.5
    return jnp.asarray(value.reshape(shape), "float32")


class _Model:
    """Modules keep parts and weights as attributes; calls go to the method forward."""

    training = True

    def __init__(self, *_, **__):
        pass

    def __call__(self, *args, **keys):
        return self.forward(*args, **keys)

    def eval(self):
        return self.train(False)

    def train(self, mode=True):
        self.training = mode
        for part in vars(self).values():
            for one in part if isinstance(part, (list, tuple)) else (part,):
                if isinstance(one, _Model):
                    one.train(mode)
        return self


class _Layer(_Model):
    """A function with weights of these shapes in front of its other arguments."""

    def __init__(self, f, *shapes):
        self.f, self.all = f, [_seed(i, s) for i, s in enumerate(shapes)]
        self.weight = self.all[0] if self.all else None
        self.bias = self.all[1] if len(self.all) > 1 else None

    def forward(self, *args):
        return self.f(*args, *self.all)


class _Sequential(_Model):
    def __init__(self, *parts):
        self.parts = list(parts)

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x


class _ModuleList(_List, _Sequential):
    def __init__(self, parts=()):
        super().__init__(*parts)


def _Linear(in_features, out_features, bias=True, dtype=None):
    return _Layer(_linear, (out_features, in_features), *([(out_features,)] if bias else []))


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
    shapes = [(out_channels, in_channels // groups, *_each(n, kernel_size)), (out_channels,)]
    call = lambda x, w, b=None: _conv(n, x, w, b, stride, padding, dilation, groups)  # noqa: E731
    return _Layer(call, *shapes[: 2 if bias else 1])


def _TransposedLayer(
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
    dtype=None,
):
    shapes = [(in_channels, out_channels // groups, *_each(n, kernel_size)), (out_channels,)]
    rest = (stride, padding, output_padding, groups, dilation)
    call = lambda x, w, b=None: _conv_transposed(n, x, w, b, *rest)  # noqa: E731
    return _Layer(call, *shapes[: 2 if bias else 1])


def _Embedding(num_embeddings, embedding_dim):
    return _Layer(_embedded, (num_embeddings, embedding_dim))


def _LayerNorm(normalized_shape, eps=1e-05, elementwise_affine=True):
    shapes = [_shape(normalized_shape)] * 2 if elementwise_affine else []
    call = lambda x, *weights: _layer_norm(x, normalized_shape, *weights, eps=eps)  # noqa: E731
    return _Layer(call, *shapes)


def _GroupNorm(num_groups, num_channels, eps=1e-05, affine=True):
    call = lambda x, *weights: _group_norm(x, num_groups, *weights, eps=eps)  # noqa: E731
    return _Layer(call, *([(num_channels,)] * 2 if affine else []))


class _BatchNorm(_Layer):
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
        super().__init__(None, *([(num_features,)] * 2 if affine else []))
        self.eps, self.n = eps, num_features

    def forward(self, x):
        if self.training and x.size // x.shape[1] == 1:
            raise ValueError("Expected more than 1 value per channel when training")
        still = None if self.training else jnp.zeros(self.n)
        ones = None if self.training else jnp.ones(self.n)
        return _batch_norm(
            x, still, ones, *(self.all or (None, None)), self.training, 0.1, self.eps
        )


class _InstanceNorm(_Layer):
    def __init__(
        self,
        num_features,
        eps=1e-05,
        momentum=0.1,
        affine=False,
        track_running_stats=False,
        dtype=None,
    ):
        super().__init__(None, *([(num_features,)] * 2 if affine else []))
        self.eps = eps

    def forward(self, x):
        if int(np.prod(x.shape[2:])) == 1:
            raise ValueError("Expected more than 1 spatial element when training")
        return _group_norm(x, x.shape[1], *(self.all or (None, None)), self.eps)


def _module(f, *settings, **named):
    """A function as a module; its first settings by position are those behind the input."""
    return _Layer(lambda x: f(x, *settings, **named))


def _loss(f, *settings, **named):
    """A loss as a module; its first settings by position are those behind input and target."""
    return _Layer(lambda x, y: f(x, y, *settings, **named))


def _PoolLayer(pool, n, kernel_size, stride=None, padding=0, *rest, **named):
    return _Layer(lambda x: pool(n, x, kernel_size, stride, padding, *rest, **named))


def _adaptive_layer(combine, n, output_size, return_indices=False):
    return _Layer(lambda x: _adaptive(combine, n, x, output_size, return_indices))
