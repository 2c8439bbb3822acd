"""PyTorch 2.13.0: torch.compile: the cache of graphs on disk gives a graph compiled for AVX-512 to a process that uses AVX2; the values are wrong.

The cached code steps 16 floats at a time and is compiled anew for vectors of 8, so every other 8 elements are not computed.
torch/_inductor/codecache.py (FxGraphHashDetails) keys a graph by its operators, inputs and settings, not by pick_vec_isa(). So one cache
folder must not serve two kinds of processors, as a shared home folder or a container's image does. ATEN_CPU_CAPABILITY (documented) stands
for the second processor here.
Exits 1 while the defect is there, 0 when it is not, 2 when that cannot be checked.
"""

import os
import subprocess
import sys
import tempfile

if "avx512bw" not in open("/proc/cpuinfo", encoding="utf-8").read():
    print("cannot be checked here: the processor lacks avx512bw")
    sys.exit(2)

try:
    import torch
except ImportError as e:
    print(f"cannot be checked here: {e}")
    sys.exit(2)


def model(x):
    return torch.exp(x) * 2 + 1


def largest_error():
    x = torch.arange(64.0) / 64
    return (torch.compile(model)(x) - model(x)).abs().max().item()


if sys.argv[1:] == ["run"]:
    print(largest_error())
    sys.exit(0)

print("torch", torch.__version__)
errors = []
for first, second in (("avx2", "avx2"), ("avx512", "avx2")):
    with tempfile.TemporaryDirectory() as cache:
        for capability in (first, second):
            settings = {"TORCHINDUCTOR_CACHE_DIR": cache, "ATEN_CPU_CAPABILITY": capability}
            end = subprocess.run([sys.executable, __file__, "run"], env={**os.environ, **settings}, capture_output=True, text=True)
    print(f"compiled by {first}, run by {second}: largest error {end.stdout.strip() or end.stderr[-300:]}")
    errors.append(float(end.stdout) if end.returncode == 0 else float("inf"))
if not errors[0] < 1e-4:
    print("cannot be checked here: wrong without another instruction set, too")
    sys.exit(2)
print("the bug is not there" if errors[1] < 1e-4 else "the bug is there")
sys.exit(0 if errors[1] < 1e-4 else 1)
