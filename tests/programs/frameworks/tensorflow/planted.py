"""Plants a fault behind the runtime of traced functions, which single operators do not meet."""

from collections.abc import Callable
from typing import Any

from tensorflow.python.eager.polymorphic_function import atomic_function


def plant(fault: Callable[[list[Any]], list[Any]], after: Callable[[], None] = lambda: None) -> None:
    """fault: from the results of a function to what it gives instead; after: is called when it has run."""
    kind = atomic_function.AtomicFunction
    real = kind.call_flat

    def call_flat(this: Any, *args: Any) -> list[Any]:
        made = fault(list(real(this, *args)))
        after()
        return made

    kind.call_flat = call_flat  # type: ignore[method-assign]
