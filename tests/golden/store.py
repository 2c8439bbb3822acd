#!/usr/bin/env python3
"""Prints what a campaign's store holds, without what differs from run to run: times, costs, who worked on what, numbers of words
in the order of their arrival, and cells, which a campaign that goes on meets anew.

    store.py STORE.sqlite [TABLE...]        the rows of these tables; of the others their number and the sum of their columns
"""

import contextlib
import hashlib
import re
import sqlite3
import sys

LEFT_OUT = re.compile(r".*_ms|wall_ns|owner|epoch|attempts|version|sandbox|settings|seconds|reduce_runs|tree|manifest|n_bytes|cells")
TABLES_LEFT_OUT = ("event", "schema_version", "word")


def main() -> None:
    path, whole = sys.argv[1], sys.argv[2:]
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as store:
        names = [name for (name,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        for table in names:
            columns = [row[1] for row in store.execute(f"PRAGMA table_info({table})") if not LEFT_OUT.fullmatch(row[1])]
            if table in TABLES_LEFT_OUT or not columns:
                continue
            rows = sorted(repr([v for v in row if not isinstance(v, bytes)]) for row in store.execute(f"SELECT {', '.join(columns)} FROM {table}"))
            print(table, len(rows), hashlib.sha256("\n".join(rows).encode()).hexdigest()[:12], *columns)
            if table in whole:
                print(*rows, sep="\n")


main()
