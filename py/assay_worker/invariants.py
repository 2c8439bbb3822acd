"""Checks what pruning and quantisation promise, by a call's arguments and results.

Pruning: the pruned tensor is the original times its mask, the mask consists of zeros and ones with
the requested number of zeros, and the original equals the former parameter. Quantisation of weights:
no weight moves by more than half a step.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch.nn.utils import prune

from assay_worker.measure import Measure

Rule = Callable[[Any, Any, Any, Any], list[Measure]]
STEP_SLACK = 1.1
QUANTISERS = ("quantize", "convert", "quantize_dynamic")


def _weights(module: Any) -> dict[str, torch.Tensor]:
    if not isinstance(module, torch.nn.Module):
        return {}
    found = {n: p.detach().clone() for n, p in module.named_parameters()}
    # After masking, a weight is an attribute and no longer a parameter.
    for path, m in module.named_modules():
        for name in _pruned(m):
            found[f"{path}.{name}".lstrip(".")] = getattr(m, name).detach().clone()
    return found


def _pruned(m: torch.nn.Module) -> list[str]:
    hooks = m._forward_pre_hooks.values()
    return [h._tensor_name for h in hooks if isinstance(h, prune.BasePruningMethod)]


def before(name: str, args: Any, kwargs: Any) -> dict[str, torch.Tensor]:
    """Copies of the weights that the call is given."""
    with torch.no_grad():
        return _weights(args[0] if args else kwargs.get("module", kwargs.get("model")))


def _fail(path: str, text: str) -> Measure:
    return Measure(path, "exact", text=text)


def _within(path: str, moved: float, bound: float) -> Measure:
    return _fail(path, f"moves by {moved:.3g}, half a step is {bound:.3g}") if moved > bound else Measure(path)


def _argument(args: Any, kwargs: Any, at: int, name: str) -> Any:
    return args[at] if len(args) > at else kwargs.get(name)


@torch.no_grad()
def pruned(was: Any, result: Any, args: Any, kwargs: Any) -> list[Measure]:
    """Checks the masks of a module after a call that made one."""
    module, name = _argument(args, kwargs, 0, "module"), _argument(args, kwargs, 1, "name")
    found = []
    weight, original = getattr(module, name), getattr(module, f"{name}_orig", None)
    mask = getattr(module, f"{name}_mask", None)
    if original is None or mask is None:
        return [_fail(name, "has no mask after the call that prunes it")]
    # custom_from_mask does not check that the mask it is given is binary.
    is_given = isinstance(_argument(args, kwargs, 2, "mask"), torch.Tensor)
    if not is_given and not bool(((mask == 0) | (mask == 1)).all()):
        found.append(_fail(f"{name}_mask", "has elements besides 0 and 1"))
    if not torch.equal(weight, original * mask):
        found.append(_fail(name, "is not the original times its mask"))
    old = was.get(f"{name}_orig", was.get(name))
    if old is not None and not torch.equal(original, old):
        found.append(_fail(f"{name}_orig", "differs from the former parameter"))
    found += _amount(was, name, mask, args, kwargs)
    return found or [Measure(name)]


def _amount(was: Any, name: str, mask: torch.Tensor, args: Any, kwargs: Any) -> list[Measure]:
    amount = _argument(args, kwargs, 2, "amount")
    if (
        f"{name}_orig" in was
        or not isinstance(amount, (int, float))
        or kwargs.get("dim") is not None
    ):
        return []
    if len(args) > 3 or kwargs.get("n") is not None or kwargs.get("importance_scores") is not None:
        return []
    wanted = amount if isinstance(amount, int) else round(amount * mask.numel())
    zeros = int((mask == 0).sum())
    return (
        []
        if zeros == wanted
        else [_fail(f"{name}_mask", f"has {zeros} zeros where {wanted} are requested")]
    )


@torch.no_grad()
def removed(was: Any, result: Any, args: Any, kwargs: Any) -> list[Measure]:
    """Checks that making a mask permanent keeps the masked values."""
    module, name = _argument(args, kwargs, 0, "module"), _argument(args, kwargs, 1, "name")
    old, now = was.get(name), getattr(module, name)
    if old is not None and not torch.equal(old, now):
        return [_fail(name, "changed when its mask was made permanent")]
    return [Measure(name)]


@torch.no_grad()
def quantised(was: Any, result: Any, args: Any, kwargs: Any) -> list[Measure]:
    """Checks weights of 8 bits: each moves by at most half a step of their range."""
    found = []
    for path, m in result.named_modules() if isinstance(result, torch.nn.Module) else ():
        weight = getattr(m, "weight", None)
        old = was.get(f"{path}.weight".lstrip("."))
        if not callable(weight) or old is None:
            continue
        q = weight()
        if not q.is_quantized or q.dtype not in (torch.qint8, torch.quint8) or q.shape != old.shape:
            continue
        bound = STEP_SLACK * float(old.abs().max()) / 127.5 / 2
        moved = float((q.dequantize() - old).abs().max())
        found.append(_within(f"{path}.weight", moved, bound))
    return found


@torch.no_grad()
def quantised_in_place(was: Any, result: Any, args: Any, kwargs: Any) -> list[Measure]:
    """Checks weights that torchao made 8 bits wide: an integer moves by at most half a step of the weights' range, a float
    by at most half a unit of its three bits of mantissa."""
    config = type(_argument(args, kwargs, 1, "config")).__name__
    found = []
    for path, m in _argument(args, kwargs, 0, "model").named_modules():
        name = f"{path}.weight".lstrip(".")
        weight, old = getattr(m, "weight", None), was.get(name)
        if old is None or not old.numel() or not type(weight).__module__.startswith("torchao") or not config.startswith(("Int8", "Float8")):
            continue
        now, largest = weight.dequantize(), float(old.abs().max())
        if now.shape != old.shape:
            found.append(_fail(name, f"has the shape {list(now.shape)} for {list(old.shape)}"))
            continue
        step = torch.full_like(old, largest / 127.5) if config.startswith("Int8") else old.abs() / 8 + largest * 2.0**-17
        moved, bound = (now - old).abs().flatten(), (STEP_SLACK * step / 2).flatten()
        at = int((moved - bound).argmax())
        found.append(_within(name, float(moved[at]), float(bound[at])))
    return found


# Rules of packages that a program may import later: the package, its modules that have the function, and the function's rule.
LATER = {"torchao.quantization": (("torchao.quantization", "torchao.quantization.quant_api"), "quantize_", quantised_in_place)}


def rules() -> list[tuple[str, Any, str, Rule]]:
    """Rows of symbol, owner, attribute and rule."""
    makers = (
        "random_unstructured",
        "l1_unstructured",
        "random_structured",
        "ln_structured",
        "custom_from_mask",
        "identity",
    )
    found: list[tuple[str, Any, str, Rule]] = [
        (f"torch.nn.utils.prune.{n}", prune, n, pruned) for n in makers
    ]
    found.append(("torch.nn.utils.prune.remove", prune, "remove", removed))
    owners = [torch.ao.quantization] + ([torch.quantization] if hasattr(torch, "quantization") else [])
    for owner in owners:
        found += [(f"{owner.__name__}.{n}", owner, n, quantised) for n in QUANTISERS if hasattr(owner, n)]
    return found
