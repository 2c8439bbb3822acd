"""Runs a traced TensorFlow graph node by node with eager kernels: as it is, in float64, or with noise.

Functions and control flow in it are interpreted too, so that no node is rewritten or fused. Variables
are copies that live as long as the run.
"""

import inspect
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow.python.eager import context, execute
from tensorflow.python.framework import function_def_to_graph

from assay_worker.traced import NotJudged, Way, check_range

CALLS = frozenset({"PartitionedCall", "StatefulPartitionedCall", "StatelessPartitionedCall"})
BRANCHES = frozenset({"If", "StatelessIf"})
LOOPS = frozenset({"While", "StatelessWhile"})
SILENT = frozenset({"PrintV2", "NoOp"})  # they only print
# Nodes that compute nothing: their inputs are not moved.
MOVERS = frozenset(
    "Identity IdentityN StopGradient PreventGradient Reshape Transpose Squeeze ExpandDims StridedSlice Slice Split "
    "SplitV ConcatV2 Pack Unpack GatherV2 GatherNd Tile BroadcastTo Pad PadV2 MirrorPad ReverseV2 Select SelectV2 "
    "AssignVariableOp ResourceGather TensorListSetItem TensorListGetItem TensorListStack TensorListFromTensor "
    "TensorListPushBack TensorListPopBack Cast Bitcast".split()
)
# Parts of the names of nodes that draw random numbers, as many as their dtypes have bits.
DRAWING = ("Random", "TruncatedNormal", "Multinomial", "Stateless", "StatefulUniform", "StatefulStandardNormal")
# Inputs of such nodes that XLA must know when it compiles.
XLA_CONSTANTS = frozenset({"shape", "alg", "num_samples"})
OF_BITS = frozenset({"Bitcast", "NextAfter"})
SUMS = ("Sum", "Mean", "Prod", "MatMul", "Einsum", "Conv", "Pool", "Cum", "Norm", "Segment", "Scatter", "Softmax", "L2Loss", "Bias")


def is_variable(handle: Any) -> bool:
    return handle.dtype == tf.resource and "tensorflow::Var" in str(handle)


def read(handle: Any) -> Any:
    """The value of the variable behind a handle."""
    dtype = handle._handle_data.shape_and_type[0].dtype
    return tf.raw_ops.ReadVariableOp(resource=handle, dtype=dtype)


def array(x: Any) -> Any:
    return np.asarray(x.numpy())


def draws(kind: str) -> bool:
    return any(part in kind for part in DRAWING) and kind not in CALLS | BRANCHES | LOOPS


def is_by_xla(attributes: Any) -> bool:
    """Is the function with these attributes compiled by XLA as a whole?"""
    return bool(attributes["_XlaMustCompile"].b)


def nodes(graph: Any, kind: str, in_loop: bool = False) -> list[tuple[Any, bool]]:
    """The nodes of this kind in the graph and its functions, and whether they are in a loop."""
    found = [(op, in_loop) for op in graph.get_operations() if op.type == kind]
    for op in graph.get_operations():
        for name in names_of_functions(op):
            found += nodes(body_of(name), kind, in_loop or op.type in LOOPS)
    return found


def names_of_functions(op: Any) -> list[str]:
    found = []
    for name in ("f", "body", "cond", "then_branch", "else_branch"):
        if name in op.node_def.attr and op.node_def.attr[name].HasField("func"):
            found.append(op.get_attr(name).name)
    return found


_bodies: dict[str, Any] = {}


def body_of(name: str) -> Any:
    """The graph of a function of the eager context."""
    if name not in _bodies:
        _bodies[name] = function_def_to_graph.function_def_to_graph(context.context().get_function_def(name))
    return _bodies[name]


class Run:
    """One run of a graph in a way. batch: what its iterator gives."""

    def __init__(self, way: Way, batch: list[Any], by_xla: bool) -> None:
        self.way, self.batch = way, batch
        self.by_xla = by_xla  # the graph is compiled by XLA, which has random numbers of its own
        self.variables: list[Any] = []  # kept alive
        self.fixed: dict[int, Any] = {}  # values that Grappler can compute before the call, by id

    def start(self, x: Any) -> Any:
        """An input as a tensor of the run's dtype."""
        wanted = self.way.dtype(x.dtype.name)
        return tf.cast(x, wanted) if wanted != x.dtype.name else x

    def variable(self, value: Any) -> Any:
        """The handle of a variable of this run."""
        made = tf.Variable(self.start(value), shape=value.shape)
        self.variables.append(made)
        return made.handle

    def graph(self, graph: Any, inputs: list[Any]) -> list[Any]:
        known: dict[str, Any] = {t.name: x for t, x in zip(graph.inputs, inputs, strict=True)}
        for op in graph.get_operations():
            if op.type == "Placeholder" or op.type in SILENT:
                continue
            inputs = [known.get(t.name) for t in op.inputs]
            made = self._node(op, inputs)
            if op.type == "Const" or inputs and all(id(x) in self.fixed for x in inputs):
                self.fixed.update((id(x), x) for x in made)
            known.update((t.name, x) for t, x in zip(op.outputs, made, strict=True))
        return [known[t.name] for t in graph.outputs]

    def _call(self, op: Any, attribute: str, inputs: list[Any]) -> list[Any]:
        return self.graph(body_of(op.get_attr(attribute).name), inputs)

    def _node(self, op: Any, inputs: list[Any]) -> list[Any]:
        kind = op.type
        self.way.begin(f"tf.raw_ops.{kind}")
        if kind in CALLS:
            before, self.by_xla = self.by_xla, self.by_xla or is_by_xla(op.node_def.attr)
            made = self._call(op, "f", inputs)
            self.by_xla = before
            return made
        if kind in BRANCHES:
            return self._call(op, "then_branch" if _is_true(inputs[0]) else "else_branch", inputs[1:])
        if kind in LOOPS:
            while _is_true(self._call(op, "cond", inputs)[0]):
                inputs = self._call(op, "body", inputs)
                self.way.begin(f"tf.raw_ops.{kind}")
            return inputs
        if kind == "Const":
            return [self.start(_constant(op))]
        if kind == "IteratorGetNext":
            return [self.start(x) for x in self.batch]
        if op.op_def.is_stateful and kind != "Assert" and not any(t.dtype in (tf.resource, tf.variant) for t in op.inputs):
            raise NotJudged(f"{kind} has a state of its own")
        return self._kernel(op, inputs)

    def _kernel(self, op: Any, inputs: list[Any]) -> list[Any]:
        if op.type == "Cast" and inputs[0].dtype.is_floating and op.outputs[0].dtype.is_integer:
            check_range(array(inputs[0]), op.outputs[0].dtype.name)
        if draws(op.type) and self.by_xla:
            if all(id(x) in self.fixed for x in inputs):
                raise NotJudged(f"{op.type} of constants, by XLA or before it")
            return [self.start(x) for x in _drawn_by_xla(op, inputs)]
        if self.way.generator is not None and op.type not in MOVERS:
            n = max((int(x.shape.num_elements() or 0) for x in inputs if has_numbers(x)), default=1) if _sums(op.type) else 1
            inputs = [self._moved(x, n) for x in inputs]
        if not self.way.is_wide:
            return self._run(op, inputs, wide=False)
        if op.type not in OF_BITS and not draws(op.type):
            try:
                return [self.start(x) for x in self._run(op, inputs, wide=True)]
            except (tf.errors.OpError, TypeError, ValueError):
                if any(t.dtype == tf.resource for t in op.inputs):
                    raise
        declared = [tf.cast(x, t.dtype) if has_numbers(x) and x.dtype != t.dtype else x for x, t in zip(inputs, op.inputs, strict=True)]
        return [self.start(x) for x in self._run(op, declared, wide=False)]

    def _moved(self, x: Any, n_terms: int) -> Any:
        if not has_numbers(x) or not x.dtype.is_floating and not x.dtype.is_complex:
            return x
        return tf.constant(self.way.moved(array(x), x.dtype.name, n_terms))

    def _run(self, op: Any, inputs: list[Any], wide: bool) -> list[Any]:
        attributes: list[Any] = []
        for name, value in op.node_def.attr.items():
            if not name.startswith("_"):
                attributes += [name, self._attribute(op, name, value, wide)]
        with tf.device("CPU:0"):
            made = execute.execute(op.type.encode(), len(op.outputs), list(inputs), tuple(attributes), context.context())
        return list(made) if made else []

    def _attribute(self, op: Any, name: str, value: Any, wide: bool) -> Any:
        kind = value.WhichOneof("value")
        if kind == "type":
            return self._dtype(value.type, wide)
        if kind == "list" and value.list.type:
            return [self._dtype(t, wide) for t in value.list.type]
        if kind == "list" and value.list.shape:
            return [_shape(s) for s in value.list.shape]
        if kind == "shape":
            return _shape(value.shape)
        if kind in ("tensor", "func"):
            raise NotJudged(f"{op.type} has the attribute {name}")
        return op.get_attr(name)

    def _dtype(self, number: int, wide: bool) -> int:
        dtype = tf.as_dtype(number)
        wanted = tf.as_dtype(self.way.dtype(dtype.name)) if wide else dtype
        return int(wanted.as_datatype_enum)


def has_numbers(x: Any) -> bool:
    return x is not None and x.dtype not in (tf.resource, tf.variant, tf.string)


def _constant(op: Any) -> Any:
    proto = op.node_def.attr["value"].tensor
    return tf.constant(tf.make_ndarray(proto), tf.as_dtype(proto.dtype))


_drawers: dict[Any, Any] = {}


def _drawn_by_xla(op: Any, inputs: list[Any]) -> list[Any]:
    """What XLA draws for a node that stands alone: the same numbers as for one among others."""
    if any(x.dtype == tf.resource for x in inputs):
        raise NotJudged(f"XLA compiles {op.type}")
    names = [a.name for a in op.op_def.input_arg]
    fixed = {n: array(x) for n, x in zip(names, inputs, strict=True) if n in XLA_CONSTANTS}
    given = {n: x for n, x in zip(names, inputs, strict=True) if n not in XLA_CONSTANTS}
    kernel = getattr(tf.raw_ops, op.type)
    wanted = inspect.signature(kernel).parameters
    options = {k: op.get_attr(k) for k in op.node_def.attr if k in wanted}
    key = str((op.type, options, {n: x.tolist() for n, x in fixed.items()}, [x.shape for x in given.values()]))
    if key not in _drawers:

        def draw(**given: Any) -> Any:
            return kernel(**given, **fixed, **options)

        _drawers[key] = tf.function(draw, jit_compile=True, autograph=False).get_concrete_function(**given)
    result = _drawers[key](**given)
    return list(result) if isinstance(result, (list, tuple)) else [result]


def _sums(kind: str) -> bool:
    return any(part in kind for part in SUMS)


def _shape(proto: Any) -> list[int] | None:
    return None if proto.unknown_rank else [d.size for d in proto.dim]


def _is_true(x: Any) -> bool:
    value = array(x)
    return bool(value.size) if value.shape and value.size != 1 else bool(value.reshape(-1)[0])
