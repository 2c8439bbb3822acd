"""Exceptions of compared calls: what is told of them, and whether two are one error."""

import itertools
import os
import re
import traceback
from typing import Any

# TorchScript's interpreter reports every error of the code that it runs as its own.
INTERPRETED = "operation failed in the TorchScript interpreter"
# By one of these an operator refuses its arguments, its meta function often by another of them.
REFUSALS = frozenset({"IndexError", "NotImplementedError", "RuntimeError", "TypeError", "ValueError"})
BROKEN = "INTERNAL ASSERT FAILED"
QUOTED = "\nfrom user code:\n"  # Dynamo's, in front of the program's lines
SUMMARY = "\n## Exception summary\n"  # the ONNX exporter's, in front of the causes, the first one first
NO_CPP = "C++ compile error"  # inductor's; the compiler's command and all it says follow


def modules_of(e: BaseException) -> list[str]:
    """Names of the classes of an exception and of its causes."""
    names: dict[str, None] = {}
    seen: BaseException | None = e
    for _ in range(8):
        if seen is None:
            break
        names |= {c.__name__: None for c in type(seen).__mro__[:-2]}
        seen = seen.__cause__ or (None if seen.__suppress_context__ else seen.__context__)
    return list(names)


def essence(message: str) -> str:
    """A message of Dynamo or TorchScript without the program's own lines, which they quote, of
    inductor's compiler without its command, of the ONNX exporter its first cause: else a bug has
    another message in each program that shows it, or every bug has the same."""
    message = message.partition(QUOTED)[0].rstrip()
    if SUMMARY in message:
        cause = message.partition(SUMMARY)[2].strip().partition("\n\u2b06")[0]
        message = re.sub(r"^<class '(?:[^']*\.)?(\w+)'>", r"\1", cause).partition("\n\n")[0]
    lines = [line for line in message.splitlines() if line.strip()]
    if NO_CPP in message:
        errors = (line.partition(" error: ")[2] for line in lines)
        return f"{NO_CPP}: {next(filter(None, errors), message)}"
    if not any("<--- HERE" in line for line in lines):
        return message
    if re.match(r"[\w.]*(Error|Exception): ", lines[-1]):
        return lines[-1]
    return "\n".join(itertools.takewhile(lambda line: not line.startswith("  File "), lines))


def raised(e: BaseException, program: str = "") -> dict[str, Any]:
    """Describes an exception, and whose frame raised it."""
    stack = traceback.extract_tb(e.__traceback__)
    by = stack[-1].filename if stack else ""
    return {
        "by_tracer": by == program or f"{os.sep}_dynamo{os.sep}" in by,
        "type": type(e).__name__,
        "module": type(e).__module__,
        "message": essence(str(e))[:4096],
        "interpreted": INTERPRETED in str(e),
        "family": modules_of(e),
    }


def related(written: dict[str, Any], eager: dict[str, Any]) -> bool:
    """Are they the same error: a subclass, a wrapper, or the compiler's own report of it?

    A tracer meets errors in the program's own code before it computes anything.
    """
    if written["module"].startswith("torch._dynamo") or written["by_tracer"]:
        return True
    if written["interpreted"]:
        return True
    if REFUSALS & set(written["family"]) and REFUSALS & set(eager["family"]):
        return BROKEN not in written["message"] or BROKEN in eager["message"]
    return written["type"] in eager["family"] or eager["type"] in written["family"]
