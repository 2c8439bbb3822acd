"""Programs on torch: its settings for a case, and what a fork server prepares."""

import os
from typing import Any

import torch

from assay_worker import interpose, program
from assay_worker.adapter import ProgramJob, ProgramResult


def _prepare(job: ProgramJob, user_threads: int) -> None:
    torch._inductor.config.fallback_random = True
    os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
    torch._inductor.config.compile_threads = 1
    torch.set_num_threads(user_threads if job.own_path else 1)
    if not job.own_path:
        torch._inductor.config.cpp.vec_isa_ok = True  # else a program is compiled and run for each instruction set
        torch.manual_seed(int(job.case[:8] or "0", 16))


def run(job: ProgramJob, user_threads: int) -> list[ProgramResult | dict[str, Any]]:
    """One result for each mode of the job. user_threads: torch's number of threads for a user's own program."""
    _prepare(job, user_threads)
    return program.run(job, interpose.Interposer)


def warm() -> None:
    """Compiles and trains a tiny model, which imports what every compiled program needs: half of what a small program costs."""
    torch.set_num_threads(1)
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.BatchNorm1d(4))
    fast = torch.compile(model, backend="aot_eager")
    for _ in range(2):
        fast(torch.ones(5, 3)).sum().backward()
    torch._dynamo.reset()
