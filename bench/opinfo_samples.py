"""Random samples of OpInfo, torch's own table of operators, as functions of their tensors: the baseline of bench/cells."""

import itertools
import random
from collections.abc import Callable

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils import _pytree

N_SAMPLES = 20  # of an operator and dtype, the first ones


def draw(seed: int) -> tuple[Callable[..., object], list[torch.Tensor]]:
    """A function that calls one operator, and its tensors. Operator, dtype and sample are drawn by chance."""
    rng = random.Random(seed)
    op = rng.choice(op_db)
    dtype = rng.choice(sorted(op.dtypes, key=str))
    samples = list(itertools.islice(op.sample_inputs("cpu", dtype), N_SAMPLES))
    sample = rng.choice(samples)
    flat, spec = _pytree.tree_flatten(((sample.input, *sample.args), sample.kwargs))
    places = [i for i, x in enumerate(flat) if isinstance(x, torch.Tensor)]
    call = op.op

    def model(*tensors: torch.Tensor) -> object:
        values = list(flat)
        for i, t in zip(places, tensors, strict=True):
            values[i] = t
        args, kwargs = _pytree.tree_unflatten(values, spec)
        return call(*args, **kwargs)

    return model, [flat[i] for i in places]
