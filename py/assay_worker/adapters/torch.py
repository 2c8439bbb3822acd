"""PyTorch: programs."""

from typing import Any

from assay_worker.adapter import ProgramJob, ProgramResult


class Adapter:
    def load(self) -> str:
        import torch
        import torch._dynamo
        import torch._inductor.config  # noqa: F401 - before the fork, not in each child

        from assay_worker import program_torch  # noqa: F401

        return str(torch.__version__).partition("+")[0]

    def run_program_modes(self, job: ProgramJob) -> list[ProgramResult | dict[str, Any]]:
        from assay_worker import program_torch

        return program_torch.run(job)
