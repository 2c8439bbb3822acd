#!/usr/bin/env python3
"""Writes programs as notebooks into the current folder, in turn in each form that editors write.

    to_notebook.py PROGRAM.py...        NUMBER.ipynb each, numbered from 0

Each cell holds three statements of the module's top level with what stands before them. Forms: source as a list of
lines or as one string; JSON indented or in one line; ASCII or not; with magics, shell commands, help and empty cells
between.
"""

import ast
import json
import sys

FORMS = (
    {"lines": True, "magic": False, "indent": 1, "ascii": False},
    {"lines": False, "magic": False, "indent": None, "ascii": True},
    {"lines": True, "magic": True, "indent": 4, "ascii": True},
    {"lines": False, "magic": True, "indent": 0, "ascii": False},
    {"lines": True, "magic": True, "indent": None, "ascii": False},
)
MAGICS = (
    ["%matplotlib inline", "!pip install torch > /dev/null"],
    ["%%bash", "ls ("],
    ["out = !ls", "torch?"],
    [],
    ["%load_ext autoreload", "# Grüße: 'ß' \"\\\\\"", "print('é')"],
)
PER_CELL = 3


def cells_of(text):
    lines = text.split("\n")
    ends = [node.end_lineno for node in ast.parse(text).body]
    cuts = [0, *ends[PER_CELL - 1:-1:PER_CELL], len(lines)]
    return [lines[first:last] for first, last in zip(cuts, cuts[1:])]


def cell(lines, form):
    text = "\n".join(lines)
    source = text.splitlines(keepends=True) if form["lines"] else text
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source}


def notebook(text, form):
    cells = []
    for at, lines in enumerate(cells_of(text)):
        cells.append(cell(lines, form))
        if form["magic"]:
            cells.append(cell(MAGICS[at % len(MAGICS)], form))
            cells.append({"cell_type": "markdown", "metadata": {}, "source": ["import torch\n", "x = ("]})
    return {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}


for number, path in enumerate(sys.argv[1:]):
    form = FORMS[number % len(FORMS)]
    with open(path) as file:
        document = notebook(file.read(), form)
    with open(f"{number:03}.ipynb", "w") as file:
        json.dump(document, file, indent=form["indent"], ensure_ascii=form["ascii"])
