import functools
import time


def timed(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        result = fn(*args, **kwargs)
        print(fn.__name__, time.perf_counter() - start)
        return result

    return wrapper


def named(name):
    def decorate(fn):
        STEPS[name] = fn
        return fn

    return decorate


STEPS = {}
