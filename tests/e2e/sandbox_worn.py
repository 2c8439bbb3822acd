"""sandbox_worn.py ATTEMPTS KINDS OFF NOT_HELD: judges `assay doctor --sandbox --json` on stdin.

ATTEMPTS: number of escape attempts. KINDS: kinds of workers that make each, separated by commas. OFF: layers that must not be on.
NOT_HELD: attempts that no layer stops there, separated by commas, or "?" for any; all others must be held or bounded. Prints
differences, and then exits 1.
"""
import json
import re
import sys


def words(text: str) -> set[str]:
    return set(filter(None, text.split(",")))


def main() -> int:
    n_attempts, kinds, off, not_held = int(sys.argv[1]), words(sys.argv[2]), words(sys.argv[3]), sys.argv[4]
    rows = {row["check"]: row for row in json.load(sys.stdin)}
    attempts = {name.removeprefix("escape "): row for name, row in rows.items() if name.startswith("escape ")}
    wrong = [f"{len(attempts)} attempts, expected {n_attempts}"] if len(attempts) != n_attempts else []
    wrong += [f"layer {layer} is on" for layer in off if rows[f"sandbox {layer}"]["state"] == "on"]
    open_ones = set()
    for name, row in attempts.items():
        verdicts = dict(re.findall(r"(native|Python) (held|bounded|not held|escaped|wrong error)", row["detail"]))
        open_ones |= {name} if "not held" in verdicts.values() else set()
        if set(verdicts) != kinds or {"escaped", "wrong error"} & set(verdicts.values()):
            wrong.append(f"{name}: {row['detail']}")
    if not_held != "?" and open_ones != words(not_held):
        wrong.append(f"not held: {sorted(open_ones)}, expected: {sorted(words(not_held))}")
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main())
