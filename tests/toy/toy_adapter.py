"""The adapter of the toy framework: what a user's own adapter looks like."""

import struct

import toy
from assay_worker.adapter import Capture, ProgramResult
from assay_worker.tensors import Tensor

FLOAT = 1


class Adapter:
    def load(self):
        return "1"

    def run_program(self, path, entry, weights, mode):
        with open(path, encoding="utf-8") as file:
            outputs = toy.run(file.read(), entry, mode.name)
        captures = [
            Capture(
                "toy.output", 0, i, name, Tensor(name, FLOAT, [len(data)], struct.pack(f"<{len(data)}f", *data))
            )
            for i, (name, data) in enumerate(outputs.items())
        ]
        return ProgramResult(captures, sorted(set(toy.REACHED)))
