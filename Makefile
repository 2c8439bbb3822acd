# Each target does its set-up (tools/setup, quick when nothing is missing) and calls one tool.
# make demo and make test are all a newcomer needs; see README.md.

export ASSAY_HOME ?= $(CURDIR)/build/home
PRESET ?= release

.PHONY: all setup build ort demo llm-demo test check faults mutants bench figures fuzz clean distclean

all: build

setup:
	@tools/setup

# The program; with PRESET=dev, or another preset, tests and benches too.
build:
	@tools/setup build
	@tools/build $(PRESET) $(if $(filter release,$(PRESET)),assay)

# ONNX Runtime of build/env as a target.
ort:
	@build/assay targets add ort --python build/env/bin/python >/dev/null

demo: setup build
	@tools/demo

# A small language model behind diffuse, from prompt to verdict: builds a server from source, never part of demo and test.
llm-demo: setup build
	@tools/llm-demo

test: setup build
	@./check full

check:
	@./check

# Makes single calls fail under hunt, run and reduce: about an hour on two cores; a tenth of it is in make test.
faults: setup build ort
	@build/env/bin/python tools/faults

# Mutates our own C: make mutants SEED=7 [COUNT=200]. Choose the seed after the last commit of tests.
mutants: setup build ort
	@build/env/bin/python tools/mutants --seed $(SEED) --count $(or $(COUNT),200)

bench: setup
	@tools/build release
	@tools/bench

figures: setup
	@tools/build release
	@tools/bench --write docs/figures.md

fuzz:
	@tools/setup build
	@tools/fuzz

# Keeps the Python environment and build/home, which are slow to make.
clean:
	@find build -mindepth 1 -maxdepth 1 ! -name env ! -name home ! -name third_party -exec rm -rf {} +

distclean:
	@rm -rf build
