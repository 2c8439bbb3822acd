"""Puts itself between a program and its traced TensorFlow functions: compiled calls beside their graphs, node by node."""

import time
from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tensorflow.python.eager.polymorphic_function import concrete_function

from assay_worker import tf_graph, traced
from assay_worker.taken import Item

SYMBOL = "tf.function"


def _item(path: str, x: Any) -> Item:
    return traced.item(path, tf_graph.array(x), x.dtype.name)


def _items(results: list[Any], variables: list[tuple[str, Any]]) -> list[Item]:
    found = [_item("out" if len(results) == 1 else f"out[{i}]", x) for i, x in enumerate(results) if tf_graph.has_numbers(x)]
    return found + [_item(path, tf_graph.read(handle)) for path, handle in variables]


def _tensors(results: Any) -> list[Any]:
    return [x for x in tf.nest.flatten(results, expand_composites=True) if isinstance(x, tf.Tensor)]


def _next_batch(graph: Any, inputs: list[Any], others: list[int]) -> list[Any] | None:
    """What the call will get from the iterator that is its only resource besides variables: nothing at its end.

    None: it is not known.
    """
    found = tf_graph.nodes(graph, "IteratorGetNext")
    if len(others) != 1 or len(found) != 1 or found[0][1]:
        return None
    node = found[0][0]
    if any(t in (tf.resource, tf.variant) for t in node.get_attr("output_types")):
        return None
    try:
        return list(
            tf.raw_ops.IteratorGetNext(
                iterator=inputs[others[0]],
                output_types=node.get_attr("output_types"),
                output_shapes=[tf.TensorShape(s) for s in node.get_attr("output_shapes")],
            )
        )
    except tf.errors.OpError:  # the call meets the end too
        return []


class Interposer(traced.TracedSites):
    def install(self) -> None:
        tf.config.run_functions_eagerly(self.as_eager)
        kind = concrete_function.ConcreteFunction
        kind._call_flat = self._call_flat(kind._call_flat)

    def _call_flat(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call_flat(this: Any, tensor_inputs: Any, captured_inputs: Any) -> Any:
            if self.depth or not tf.executing_eagerly():
                return real(this, tensor_inputs, captured_inputs)
            return self._call(this, real, list(tensor_inputs), list(captured_inputs))

        return call_flat

    def _call(self, function: Any, real: Callable[..., Any], given: list[Any], captured: list[Any]) -> Any:
        def run() -> Any:
            return real(function, given, captured)

        began = time.monotonic()
        site = self.site(SYMBOL)
        form = (function.name, tuple((x.dtype.name, tuple(x.shape)) for x in given))
        if not self.is_due(site, form):
            return run()
        graph, inputs = function.graph, given + captured
        variables = [(i, x) for i, x in enumerate(inputs) if tf_graph.is_variable(x)]
        if not all(bool(tf.raw_ops.VarIsInitializedOp(resource=x)) for _, x in variables):
            self.note("makes its variables")
            return run()
        places = {i for i, _ in variables}
        others = [i for i, x in enumerate(inputs) if x.dtype in (tf.resource, tf.variant) and i not in places]
        batch = _next_batch(graph, inputs, others) if others else []
        if batch is None:
            self.note("a resource that is no variable")
            return run()
        if others:
            if not batch:
                return run()
            kept = iter(tf.data.Dataset.from_tensors(tuple(batch)))
            inputs[others[0]] = kept._iterator_resource
            given, captured = inputs[: len(given)], inputs[len(given) :]
        by_xla = tf_graph.is_by_xla(function.function_def.attr)
        n_results = len(_tensors(function.structured_outputs))  # more are added for a gradient
        before = {id(x): tf.identity(tf_graph.read(x)) for _, x in variables}

        def evaluate(way: traced.Way) -> list[Item]:
            one = tf_graph.Run(way, batch, by_xla)
            copies = {key: one.variable(value) for key, value in before.items()}  # one, also of a variable that is given twice
            starts = [copies[id(x)] if id(x) in copies else one.start(x) for x in inputs]
            results = one.graph(graph, starts)[:n_results]
            return _items(results, [(f"variable[{i}]", starts[i]) for i, _ in variables])

        def items_of(result: Any) -> list[Item]:
            return _items(_tensors(result), [(f"variable[{i}]", x) for i, x in variables])

        return self.compare(site, traced.Interpreted(evaluate), run, items_of, began)
