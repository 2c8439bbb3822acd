"""Finds out who raised an exception: the program under test, the framework's Python, or native code."""

import dis
import os
import traceback


def _raises_itself(frame_code: bytes, at: int) -> bool:
    return 0 <= at < len(frame_code) and dis.opname[frame_code[at]].startswith(("RAISE", "RERAISE"))


def raised_by(e: BaseException, program: str) -> str:
    """"test", "framework" or "native", by the innermost frame.

    If that frame is the program's own and at a call, not at a raise, native code raised it.
    """
    last = None
    for frame, _ in traceback.walk_tb(e.__traceback__):
        last = frame
    tb = e.__traceback__
    while tb is not None and tb.tb_next is not None:
        tb = tb.tb_next
    if last is None or tb is None:
        return "test"
    if os.path.abspath(last.f_code.co_filename) != os.path.abspath(program):
        return "framework"
    if isinstance(e, (NameError, SyntaxError, ImportError, AttributeError)):
        return "test"
    return "test" if _raises_itself(last.f_code.co_code, tb.tb_lasti) else "native"
