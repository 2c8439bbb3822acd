import copy
import random

import torch
import torch._dynamo


def numbers(value):
    """Tensors as their dtype and numbers, in lists."""
    if isinstance(value, torch.Tensor):
        return [str(value.dtype), value.detach().to_dense().resolve_conj().resolve_neg().tolist()]
    if isinstance(value, (list, tuple)):
        return [numbers(v) for v in value]
    if isinstance(value, dict):
        return {str(k): numbers(v) for k, v in value.items()}
    return value if isinstance(value, (int, float, str)) else repr(type(value))


def gradients(result, call, args):
    outputs = [t for t in torch.utils._pytree.tree_leaves(result) if isinstance(t, torch.Tensor) and t.requires_grad]
    leaves = [t for t in (*args, *getattr(call, "parameters", list)()) if isinstance(t, torch.Tensor) and t.requires_grad and t.is_leaf]
    found = torch.autograd.grad(outputs, leaves, [torch.ones_like(t) for t in outputs], retain_graph=True, allow_unused=True) if outputs and leaves else ()
    return list(found)


class Optimised:
    """Calls are recorded; all else is the optimised object's own."""

    def __init__(self, made, model, call):
        self.made, self.model, self.call = made, model, call

    def __call__(self, *args, **kwargs):
        return self.call(*args, **kwargs)

    def __getattr__(self, name):
        return getattr(self.made, name)


def run(source, entry, mode):
    """What the optimised calls of the program give: as written, or without their optimiser."""
    torch._dynamo.reset()
    torch._inductor.config.fallback_random = True
    random.seed(CASE)
    torch.manual_seed(int(CASE[:8], 16))
    found, reals, within, written = {}, [], [], mode == "written"

    def record(name, call, args, kwargs):
        result = call(*args, **kwargs)
        more = gradients(result, call, args) if PLACE.startswith("grad(") else torch.get_rng_state() if "generator" in PLACE else []
        found[f"{name} call {len(found) + 1}"] = numbers([result, args, kwargs, more])
        return result

    def made_by(real, model, *more, **options):
        within.append(real)  # the optimisers that it calls are its own business
        try:
            return real(model, *more, **options)
        except Exception:
            if written:
                raise
            return model
        finally:
            within.pop()

    def compiled(real, model=None, **options):
        if model is None:
            return lambda f: compiled(real, f, **options)
        call = real(model, **options) if written else model
        return call if isinstance(model, type) else lambda *a, **k: record("torch.compile", call, a, k)

    def scripted(real, model, *more, **options):
        made = made_by(real, getattr(model, "made", model), *more, **options)
        model = getattr(model, "model", model)
        return made if isinstance(model, type) else Optimised(made, model, lambda *a, **k: record(real.__name__, made if written else model, a, k))

    def traced(real, model, inputs=(), *more, **options):
        made = made_by(real, model, inputs, *more, **options)
        args = copy.deepcopy(inputs if isinstance(inputs, (list, tuple)) else (inputs,))
        torch.manual_seed(0)
        record(real.__name__, model if not written else made.module() if hasattr(made, "module_call_graph") else made, args, {})
        return made

    def tensors(x):
        return [t for t in torch.utils._pytree.tree_leaves(x) if isinstance(t, torch.Tensor)]

    def written_to_onnx(real, model, args=(), f=None, *more, **options):
        made = made_by(real, model, args, f, *more, **options)
        given, named = (args,) if isinstance(args, torch.Tensor) else tuple(args), dict(options.get("kwargs") or {})
        if not named and given and isinstance(given[-1], dict):
            *given, named = given

        def in_onnxruntime(*a, **k):
            import onnxruntime

            settings = onnxruntime.SessionOptions()
            settings.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
            file = made.model_proto.SerializeToString() if hasattr(made, "model_proto") else f.getvalue() if hasattr(f, "getvalue") else f
            session = onnxruntime.InferenceSession(file, settings, providers=["CPUExecutionProvider"])
            feed = {i.name: t.detach().numpy() for i, t in zip(session.get_inputs(), tensors((a, k)))}
            return [torch.from_numpy(y) for y in session.run(None, feed)]

        torch.manual_seed(0)
        record("torch.onnx.export", in_onnxruntime if written else lambda *a, **k: tensors(model(*a, **k)), given, named)
        return made

    def replace(holder, name, how):
        real = getattr(holder, name)
        reals.append((holder, name, real))
        setattr(holder, name, lambda *a, **k: real(*a, **k) if within else how(real, *a, **k))

    replace(torch, "compile", compiled)
    for holder, name in (torch.jit, "script"), (torch.jit, "freeze"), (torch.jit, "optimize_for_inference"), (torch.fx, "symbolic_trace"):
        replace(holder, name, scripted)
    replace(torch.jit, "trace", traced)
    replace(torch.export, "export", traced)
    replace(torch.onnx, "export", written_to_onnx)
    try:
        execute(source, entry, found)
    finally:
        for holder, name, real in reals:
            setattr(holder, name, real)
    return found
