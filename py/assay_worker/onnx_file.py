"""Runs a model that torch.onnx.export has made, in ONNX Runtime without optimisations, to compare it with its module.

ONNX keeps neither the structure of a call nor of its results: both sides are lists of tensors.
"""

import os
from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree

# ONNX Runtime's limits, not the exporter's.
LACKS = ("NOT_IMPLEMENTED", "Unsupported model IR version", "official released onnx opset")


class NotJudged(Exception):
    """The exported model cannot be run on the call's arguments; the message says why."""


def tensors(x: Any) -> list[torch.Tensor]:
    """The tensors of nested containers, in the order in which an exporter numbers them."""
    return [t for t in _pytree.tree_leaves(x) if isinstance(t, torch.Tensor)]


def flat(model: Callable[..., Any]) -> Callable[..., list[torch.Tensor]]:
    """The model, with the tensors of its results in one list."""

    def run(*args: Any, **kwargs: Any) -> list[torch.Tensor]:
        return tensors(model(*args, **kwargs))

    return run


def call_of(args: Any, kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments as torch.onnx.export takes them: one tensor, or a tuple whose last element may be a dict of names."""
    given = (args,) if isinstance(args, torch.Tensor) else tuple(args)
    if kwargs is None and given and isinstance(given[-1], dict):
        return given[:-1], given[-1]
    return given, dict(kwargs or {})


def _bytes_or_path(made: Any, file: Any) -> Any:
    if hasattr(made, "model_proto"):
        if not made.model_proto.graph.output:
            raise NotJudged("the exported model has no output")
        return made.model_proto.SerializeToString()
    if isinstance(file, (str, os.PathLike)):
        return os.fspath(file)
    if hasattr(file, "getvalue"):
        return file.getvalue()
    raise NotJudged("the exported model is not at hand")


def _session(model: Any) -> Any:
    try:
        import onnxruntime
    except ImportError as e:
        raise NotJudged("onnxruntime is not installed") from e
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _fits(what: str, n: int, n_tensors: int) -> None:
    if n != n_tensors:
        raise NotJudged(f"the exported model has {n} {what} for {n_tensors} tensors")


def run(made: Any, file: Any, call: Any) -> list[torch.Tensor]:
    """The exported model's outputs on the arguments of the call, whose original gives a list of tensors.

    Raises NotJudged if the model has other inputs or outputs (numbers are some), or needs what ONNX
    Runtime and NumPy lack; else what ONNX Runtime raises, which finds the model invalid.
    """
    inputs = tensors((call.args, call.kwargs))
    try:
        session = _session(_bytes_or_path(made, file))
        names = [i.name for i in session.get_inputs()]
        _fits("inputs", len(names), len(inputs))
        outputs = call.original(*call.args, **call.kwargs)
        _fits("outputs", len(session.get_outputs()), len(outputs))
        if any(t.is_complex() for t in inputs + outputs):
            raise NotJudged("ONNX has complex numbers as pairs")
        feed = {n: t.detach().contiguous().numpy() for n, t in zip(names, inputs, strict=True)}
        return [torch.from_numpy(y) for y in session.run(None, feed)]
    except TypeError as e:  # NumPy has no such dtype, or an output is no tensor
        raise NotJudged(f"no array: {e}") from e
    except Exception as e:
        if any(lacks in str(e) for lacks in LACKS):
            raise NotJudged("ONNX Runtime lacks what the exported model needs") from e
        raise
