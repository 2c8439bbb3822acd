"""Plants a fault in what XLA compiles: a product in one module with a sine, which no operator alone is."""

from collections.abc import Callable, Iterator
from typing import Any

from jax._src import compiler


def _operations(block: Any) -> Iterator[Any]:
    for op in block.operations:
        yield op
        for region in op.regions:
            for inner in region.blocks:
                yield from _operations(inner)


def plant(fault: Callable[[Any], None]) -> None:
    """fault: is called with the product before the module is compiled."""
    real = compiler.compile_or_get_cached

    def compile_or_get_cached(backend: Any, module: Any, *args: Any, **options: Any) -> Any:
        found = list(_operations(module.body))
        if any(op.operation.name == "stablehlo.sine" for op in found):
            for op in found:
                if op.operation.name == "stablehlo.multiply":
                    fault(op.operation)
        return real(backend, module, *args, **options)

    compiler.compile_or_get_cached = compile_or_get_cached
