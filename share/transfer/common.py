# Helpers of translated programs that are the same for each target of PyTorch; names of the target are found when they are called.


_DTYPES = (
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "int8",
    "uint8",
    "int16",
    "int32",
    "int64",
    "bool",
    "complex64",
    "complex128",
)


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


def _like(make, x, dtype=None, **_):
    return make(x, dtype=dtype)


class _Exported:
    def __init__(self, f):
        self.f = f

    def module(self):
        return self.f


def _open_dim(name=None, min=None, max=None):
    """A dimension of an exported function that may have any size."""
    return _open_dim


def _same(f):
    return f


def _each(n, x):
    return tuple(x) if isinstance(x, (list, tuple)) else (x,) * n


def _huber(x, y, reduction="mean", delta=1.0):
    return delta * _smooth_l1(x, y, reduction=reduction, beta=delta)


def _instance_norm(
    x,
    running_mean=None,
    running_var=None,
    weight=None,
    bias=None,
    use_input_stats=True,
    momentum=0.1,
    eps=1e-05,
):
    return _group_norm(x, x.shape[1], weight, bias, eps)


def _window(make, n, periodic=True, **_):
    return make(n + 1)[:-1] if periodic and n > 1 else make(n)


class _List:
    """A module that is a list of its parts."""

    def __iter__(self):
        return iter(self.parts)

    def __len__(self):
        return len(self.parts)

    def __getitem__(self, at):
        return self.parts[at]

    def append(self, part):
        self.parts.append(part)
        return self
