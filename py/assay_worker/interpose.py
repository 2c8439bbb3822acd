"""Puts itself between a program and torch's optimisers: torch.compile, jit, export, fx.

Each optimised call is run as written. Some of them, by their number at a call site, are compared
with the same call without its optimiser: see snapshot.py.
"""

import functools
import os
import sys
import time
import weakref
from collections.abc import Callable
from typing import Any

import torch

from assay_worker import capture, errors, imports, invariants, onnx_file, snapshot
from assay_worker.measure import Measure
from assay_worker.sites import Checked, Limits, Site, Sites
from assay_worker.taken import Taken

CONVERTED_SEED = 7
PLAIN_TUPLES = ("torch.jit.", "torch.fx.")  # of named ones
# Compilers that decompose random operators: their numbers are right, and others than eager mode's.
REDRAWING = frozenset({"aot_eager_decomp_partition"})


def bare(x: Any) -> Any:
    """The optimised function, if x is our replacement of it; else x itself."""
    return getattr(x, "_assay_optimised", x) if callable(x) else x


def _form(x: Any, depth: int = 0) -> Any:
    """What a recompilation depends on, roughly."""
    if isinstance(x, torch.Tensor):
        return (str(x.dtype), tuple(x.shape), x.requires_grad)
    if isinstance(x, torch.nn.Module):
        return x.training
    if isinstance(x, (list, tuple)) and depth < 3:
        return tuple(_form(y, depth + 1) for y in x)
    if isinstance(x, dict) and depth < 3:
        return tuple((str(k), _form(y, depth + 1)) for k, y in x.items())
    return type(x).__name__


class Interposer(Sites):
    def __init__(self, program: str, folder: str, limits: Limits, as_eager: bool = False) -> None:
        super().__init__(program, folder, limits, as_eager)
        self.functions: dict[int, tuple[Any, Site, Any]] = {}
        self.originals: weakref.WeakKeyDictionary[Any, tuple[Site, Any]] = (
            weakref.WeakKeyDictionary()
        )

    def _wants(self, site: Site, args: Any, kwargs: Any) -> bool:
        if self.depth or os.getpid() != self.pid or torch.compiler.is_compiling():
            return False
        if torch.cuda.is_initialized():
            self.n_reached += 1
            self.note("a CUDA context exists")
            return False
        form = (_form(args), _form(kwargs), torch.is_grad_enabled(), torch.get_default_dtype())
        return self.is_due(site, form)

    # One call -----------------------------------------------------------------------------------

    def call(
        self, site: Site, optimised: Callable[..., Any], original: Any, args: Any, kwargs: Any
    ) -> Any:
        if self.as_eager and not self.depth:
            self.n_reached += 1
            return original(*args, **kwargs)
        if not self._wants(site, args, kwargs):
            return optimised(*args, **kwargs)
        with_gradient = site.n_calls >= 2 and (
            site.backend != "inductor" or torch.get_num_threads() == 1
        )
        call = snapshot.Call(original, args, kwargs, with_gradient and torch.is_grad_enabled())
        call.redraws, call.scripted = site.backend in REDRAWING, site.symbol.startswith(PLAIN_TUPLES)
        return self._compare(site, call, lambda: optimised(*args, **kwargs))

    def _compare(self, site: Site, call: snapshot.Call, run: Callable[[], Any]) -> Any:
        began = time.monotonic()
        snap = snapshot.Snapshot(call, self.folder_of_next())
        held = time.monotonic() - began
        taken = Taken()
        self.depth += 1
        try:
            result = run()
        except Exception as e:
            taken.raised = errors.raised(e, self.program)
            self._settle(site, snap, taken, held)
            raise
        except BaseException:
            snap.finish(None)
            raise
        finally:
            self.depth -= 1
        began = time.monotonic()
        self._take(call, result, taken)
        self._settle(site, snap, taken, held + time.monotonic() - began)
        return result

    def _take(self, call: snapshot.Call, result: Any, taken: Taken) -> None:
        state = capture.roots(call.original, call.args, call.kwargs)

        def take() -> Taken:
            capture.take(state, result, taken)
            if call.with_gradient:
                torch.set_num_threads(1)
                snapshot.add_gradients(state, result, taken)
            return taken

        if not call.with_gradient:
            take()
            return
        # The backward pass would consume the program's own graph.
        path = os.path.join(self.folder_of_next(), "gradients")
        found = snapshot.in_fork(take, path)
        if found is None:
            call.with_gradient = False
            self.note("the gradients of a call were lost")
            capture.take(state, result, taken)
            return
        taken.items = found.items

    def _settle(
        self, site: Site, snap: snapshot.Snapshot, taken: Taken, spent: float
    ) -> None:
        began = time.monotonic()
        found = snap.finish(taken)
        self.add(site, found, snap.folder, began - spent)

    # One conversion -----------------------------------------------------------------------------

    def convert(
        self,
        site: Site,
        make: Callable[[], Any],
        run: Callable[[Any], Any],
        call: snapshot.Call,
        has_terms: bool = False,
    ) -> Any:
        """Compares a call of an optimiser that returns an object: both sides start from the state after it.

        has_terms: the program states conditions on the inputs, so a refusal may be right.
        """
        if self.as_eager or not self._wants(site, call.args, call.kwargs):
            self.n_reached += self.as_eager
            return self._unseen(make)
        raised: Exception | None = None
        made = None
        self.depth += 1
        try:
            made = make()
        except Exception as e:  # noqa: BLE001
            raised = e
        finally:
            self.depth -= 1
        if isinstance(raised, ImportError):
            self.note(f"a conversion needs {raised.name or 'a package that is not installed'}")
            raise raised
        if raised is not None and has_terms and errors.BROKEN not in str(raised):
            self.note("a conversion under the program's own terms raised")
            raise raised
        began = time.monotonic()
        call.seed, call.outputs_only = CONVERTED_SEED, True
        snap = snapshot.Snapshot(call, self.folder_of_next())
        taken = Taken()
        if raised is not None:
            taken.raised = errors.raised(raised, self.program)
        else:
            taken = self._run_converted(made, run, call, snap.folder) or taken
        if taken.raised and taken.raised["type"] == onnx_file.NotJudged.__name__:
            snap.finish(None)
            self.note(taken.raised["message"])
            return made
        self._settle(site, snap, taken, time.monotonic() - began)
        if raised is not None:
            raise raised
        return made

    def _run_converted(
        self, made: Any, run: Callable[[Any], Any], call: snapshot.Call, folder: str
    ) -> Any:
        def work() -> Taken:
            taken = Taken()
            torch.set_num_threads(1)
            torch.manual_seed(CONVERTED_SEED)
            try:
                result = run(made)
                capture.take(capture.roots(call.original, call.args, call.kwargs), result, taken)
            except Exception as e:  # noqa: BLE001
                taken.raised = errors.raised(e)
            taken.items = snapshot.outputs(taken.items)
            return taken

        return snapshot.in_fork(work, os.path.join(folder, "converted"))

    def _unseen(self, make: Callable[[], Any]) -> Any:
        """Runs an optimiser without a comparison, also of the optimisers that it calls."""
        self.depth += 1
        try:
            return make()
        finally:
            self.depth -= 1

    def check(self, site: Site, measures: list[Measure]) -> None:
        """Records the measures of an invariant for a call."""
        site.n_calls += 1
        self.n_reached += 1
        self.checked.append(Checked(site, site.n_calls, measures))

    # What is replaced ---------------------------------------------------------------------------

    def function(self, site: Site, optimised: Any, original: Any) -> Any:
        """A replacement of an optimised function, with all its attributes, that compares its calls."""

        @functools.wraps(optimised)
        def compared(*args: Any, **kwargs: Any) -> Any:
            return self.call(site, optimised, original, args, kwargs)

        compared.__dict__.setdefault("_torchdynamo_inline", original)
        compared._assay_optimised = optimised  # type: ignore[attr-defined]
        return compared

    def _compile(self, real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        def compile(model: Any = None, **options: Any) -> Any:
            if model is None:
                return lambda f: compile(f, **options)
            backend = options.get("backend") or "inductor"
            known = isinstance(backend, str) or str(getattr(backend, "__module__", "")).startswith(
                "torch"
            )
            site = self.site("torch.compile", backend if isinstance(backend, str) else "own")
            model = bare(model)
            optimised = real(model, **options)
            if not known:
                self.note("a backend of the program's own")
            if isinstance(model, type) or optimised is model or not known:
                return optimised
            if isinstance(optimised, torch.nn.Module):
                self.originals[optimised] = (site, model)
                return optimised
            return self.function(site, optimised, model)

        return compile

    def _class_call(self, kind: type) -> None:
        """Instances of the class that an optimiser returned are compared when they are called."""
        real = kind.__call__

        @functools.wraps(real)
        def compared(this: Any, *args: Any, **kwargs: Any) -> Any:
            known = self.originals.get(this)
            if known is None:
                return real(this, *args, **kwargs)
            site, original = known
            return self.call(site, functools.partial(real, this), original, args, kwargs)

        kind.__call__ = compared  # type: ignore[method-assign]

    def _export(self, real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        def export(mod: Any, args: Any = (), kwargs: Any = None, **options: Any) -> Any:
            mod = bare(mod)
            call = snapshot.Call(mod, tuple(args), dict(kwargs or {}))
            return self.convert(
                self.site("torch.export.export"),
                lambda: real(mod, args, kwargs, **options),
                lambda made: made.module()(*call.args, **call.kwargs),
                call,
                options.get("dynamic_shapes") is not None,
            )

        return export

    def _onnx_export(self, real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        def export(model: Any, args: Any = (), f: Any = None, *more: Any, **options: Any) -> Any:
            model = bare(model)
            given, named = onnx_file.call_of(args, options.get("kwargs"))

            def make() -> Any:
                return real(model, args, f, *more, **options)

            site = self.site("torch.onnx.export")
            if getattr(model, "training", False):  # exporters take it in evaluation mode, or as it stands
                self.n_reached += not self.depth
                self.note("exported in training mode")
                return self._unseen(make)
            terms = ("dynamic_shapes", "dynamic_axes", "opset_version", "custom_translation_table")
            call = snapshot.Call(onnx_file.flat(model), given, named)
            call.redraws = True
            return self.convert(
                site,
                make,
                lambda made: onnx_file.run(made, f, call),
                call,
                any(options.get(k) is not None for k in terms),
            )

        return export

    def _trace(self, real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        def trace(func: Any, example_inputs: Any = None, *more: Any, **options: Any) -> Any:
            func = bare(func)
            if example_inputs is None or isinstance(example_inputs, dict):
                return real(func, example_inputs, *more, **options)
            is_one = isinstance(example_inputs, torch.Tensor)
            call = snapshot.Call(func, (example_inputs,) if is_one else tuple(example_inputs), {})
            call.scripted = True
            return self.convert(
                self.site("torch.jit.trace"),
                lambda: real(func, example_inputs, *more, **options),
                lambda made: made(*call.args),
                call,
            )

        return trace

    def _script(self, real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        def script(obj: Any, *more: Any, **options: Any) -> Any:
            obj = bare(obj)
            site = self.site("torch.jit.script")
            try:
                made = real(obj, *more, **options)
            except Exception:
                self.n_reached += 1
                raise
            if isinstance(made, torch.jit.ScriptFunction):
                self.functions[id(made)] = (made, site, obj)
            elif isinstance(made, torch.jit.ScriptModule) and made is not obj:
                self.originals[made] = (site, obj)
            return made

        return script

    def _rescript(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        """Replaces a function from scripted modules to scripted modules: the result is compared with the argument."""

        @functools.wraps(real)
        def rescript(mod: Any, *more: Any, **options: Any) -> Any:
            site = self.site(name)
            self.depth += 1
            try:
                made = real(mod, *more, **options)
            except Exception:
                self.n_reached += 1
                raise
            finally:
                self.depth -= 1
            given = self.originals[mod][1] if made is mod and mod in self.originals else mod
            if isinstance(made, torch.jit.RecursiveScriptModule) and made is not given:
                self.originals[made] = (site, given)
            return made

        return rescript

    def _script_function_call(self) -> None:
        kind = torch.jit.ScriptFunction
        real = kind.__call__

        def compared(this: Any, *args: Any, **kwargs: Any) -> Any:
            known = self.functions.get(id(this))
            if known is None:
                return real(this, *args, **kwargs)
            return self.call(known[1], functools.partial(real, this), known[2], args, kwargs)

        kind.__call__ = compared  # type: ignore[method-assign]

    def _symbolic_trace(self, real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        def symbolic_trace(root: Any, *more: Any, **options: Any) -> Any:
            root = bare(root)
            site = self.site("torch.fx.symbolic_trace")
            made = real(root, *more, **options)
            if isinstance(made, torch.fx.GraphModule) and not self.depth:
                was_training = getattr(root, "training", None)
                self.originals[made] = (site, root)
                kind, graph_call = type(made), type(made).__call__

                def compared(this: Any, *args: Any, **kwargs: Any) -> Any:
                    if getattr(root, "training", None) != was_training:
                        return graph_call(this, *args, **kwargs)
                    return self.call(site, functools.partial(graph_call, this), root, args, kwargs)

                kind.__call__ = compared  # type: ignore[method-assign]
            return made

        return symbolic_trace

    def _checked(
        self, name: str, real: Callable[..., Any], rule: Callable[..., list[Measure]]
    ) -> Callable[..., Any]:
        """Replaces a function with promises: they are checked by its arguments before and after the call."""

        @functools.wraps(real)
        def checked(*args: Any, **kwargs: Any) -> Any:
            if self.depth or os.getpid() != self.pid:
                return real(*args, **kwargs)
            before = invariants.before(name, args, kwargs)
            self.depth += 1
            try:
                result = real(*args, **kwargs)
            finally:
                self.depth -= 1
            self.check(self.site(name), rule(before, result, args, kwargs))
            return result

        return checked

    def install(self) -> None:
        """Replaces the optimisers. The program sees their own objects."""
        torch.compile = self._compile(torch.compile)  # type: ignore[assignment]
        self._class_call(torch._dynamo.eval_frame.OptimizedModule)
        torch.export.export = self._export(torch.export.export)
        torch.onnx.export = self._onnx_export(torch.onnx.export)
        torch.jit.trace = self._trace(torch.jit.trace)
        torch.jit.script = self._script(torch.jit.script)
        torch.jit.freeze = self._rescript("torch.jit.freeze", torch.jit.freeze)
        torch.jit.optimize_for_inference = self._rescript(
            "torch.jit.optimize_for_inference", torch.jit.optimize_for_inference
        )
        self._class_call(torch.jit.RecursiveScriptModule)
        self._script_function_call()
        torch.fx.symbolic_trace = self._symbolic_trace(torch.fx.symbolic_trace)
        for name, owner, attribute, rule in invariants.rules():
            setattr(owner, attribute, self._checked(name, getattr(owner, attribute), rule))
        for package in invariants.LATER:
            imports.when_imported(package, lambda package=package: self._install_later(package))

    def _install_later(self, package: str) -> None:
        names, attribute, rule = invariants.LATER[package]
        checked = self._checked(f"{package}.{attribute}", getattr(sys.modules[package], attribute), rule)
        for name in names:
            setattr(sys.modules[name], attribute, checked)
