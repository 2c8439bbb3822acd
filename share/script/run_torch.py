import sys
import types

import torch
import torch._dynamo


def numbers(value):
    if isinstance(value, torch.Tensor):
        return value.detach().to_dense().resolve_conj().resolve_neg().tolist()
    if isinstance(value, (list, tuple)):
        return [numbers(v) for v in value]
    if isinstance(value, dict):
        return {str(k): numbers(v) for k, v in value.items()}
    return value if isinstance(value, (int, float, str)) else repr(type(value))


def run(source, entry, mode):
    """What the optimised calls of the program give: as written, or without their optimiser."""
    torch._dynamo.reset()
    torch._inductor.config.fallback_random = True
    torch.manual_seed(0)
    found, compile_ = {}, torch.compile

    def compiled(model=None, **options):
        if model is None:
            return lambda f: compiled(f, **options)
        call = compile_(model, **options) if mode == "written" else model
        if isinstance(model, type):
            return call

        def keep(*args, **kwargs):
            result = call(*args, **kwargs)
            found[f"torch.compile call {len(found) + 1}"] = numbers(result)
            return result

        return keep

    torch.compile = compiled
    module = types.ModuleType("program")
    try:
        with open("program_under_test.py", "w") as file:
            file.write(source)
        exec(compile(source, "program_under_test.py", "exec"), module.__dict__)
        if entry:
            module.__dict__[entry]()
    finally:
        torch.compile = compile_
    return found
