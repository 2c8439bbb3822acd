"""The paper's tables beside ours, for bench/transfer: columns *paper | cassette of a model | no model*.

Which tables there are, and what each needs: 1 mirrors (`assay corpus mirrors`); 2 and 7 runs of the translations; 3 a cassette; 4 and 5 are
printed by bench/transfer itself; 6 `assay corpus translate all`, and its valid ones runs with --ablations; shares of paired APIs the records
of `assay docs`; bug kinds and the overlap of bugs as published. What was not measured says so.
"""

import ast
import json
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOT_MEASURED = "not measured"
# Table 4 of the paper (ISSTA'25): approach, outputs, valid, preserving, bugs.
PAPER = (("Basic CoT", 116, 18, 11, 0), ("FuzzGPT", 116, 55, 24, 5), ("YANHUI", 116, 49, 16, 2), ("CrossProbe", 116, 65, 49, 19))
FAILURES = ("nonexistent API", "wrong arguments", "incomplete", "untargeted", "other behaviour")


def wilson(k, n):
    if not n:
        return "-"
    z, p = 1.96, k / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5
    return f"{100 * p:.1f} % ({100 * max(0, middle - half):.1f}-{100 * (middle + half):.1f})"


def table(title, head, rows, note=""):
    lines = [f"### {title}", "", "| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return [*lines, "", *([note, ""] if note else [])]


def of(counted, key):
    """A figure of measured runs, or that there is none."""
    return wilson(counted[key], len(counted["run"])) if counted else NOT_MEASURED


def outputs(counted):
    return len(counted["run"]) if counted else NOT_MEASURED


# Table 1 ------------------------------------------------------------------------------------------


def mirrors(assay):
    said = assay("corpus", "mirrors", "--json")
    pairs = json.loads(said.stdout) if said.returncode == 0 else []
    ops = len({row["op"] for row in pairs})
    return table("Mirroring issues (Table 1)", ("", "pairs of issues", "environment", "configuration", "computation", "format"),
        (("paper, of 1,452 issues, by hand", 74, 25, 22, 19, 8), (f"assay, `assay corpus mirrors`: {ops} operators", len(pairs), *[NOT_MEASURED] * 4)),
        "Ours are issues of the corpus about functions that are verified to do the same; nobody sorted them into the paper's categories.")


# Tables 2 and 7 -----------------------------------------------------------------------------------


def basic(plain_model, full):
    """plain_model: runs of programs of a model that was told nothing; full: of the tables."""
    rows = [("outputs", "100 and 100", outputs(plain_model), outputs(full)),
        ("valid", "18.0 % (gpt-4), 14.0 % (codellama)", of(plain_model, "valid"), of(full, "valid")),
        ("preserving", "12.0 % (gpt-4), 11.0 % (codellama)", of(plain_model, "preserving"), of(full, "preserving"))]
    published = {"nonexistent API": "43.4 % of 53 sampled invalid ones", "wrong arguments": "30.2 %", "incomplete": "26.4 %, and 3 of 9 valid ones",
        "untargeted": "not told", "other behaviour": "6 of 9 valid ones"}
    rows += [(f"failure: {k}", published[k], plain_model["bad"][k] if plain_model else NOT_MEASURED, full["bad"][k]) for k in FAILURES]
    return table("Step by step, without knowledge (Table 2)", ("", "paper, Basic CoT", "model, `--without screening,distinction`", "no model"), rows,
        "Without a model there is no translation without knowledge: that column is of the tables. Failures of ours count translations that are not preserving, those whose source does not run included.")


def distinction(model, full, plain):
    published = {"preserving": "42.2 % / 24.1 %", "wrong arguments": "22 / 39", "incomplete": "9 / 14 (empty)", "untargeted": "36 / 35"}
    rows = [("outputs", "116 / 116", f"{outputs(model)} / {NOT_MEASURED}", f"{outputs(full)} / {outputs(plain)}"),
        ("preserving", published["preserving"], f"{of(model, 'preserving')} / {NOT_MEASURED}", f"{of(full, 'preserving')} / {of(plain, 'preserving')}")]
    for k in ("wrong arguments", "incomplete", "untargeted"):
        cell = lambda c: str(c["bad"][k]) if c else NOT_MEASURED  # noqa: B023, E731
        rows.append((k, published[k], f"{cell(model)} / {NOT_MEASURED}", f"{cell(full)} / {cell(plain)}"))
    return table("With and without distinction (Table 7)", ("", "paper", "model", "no model"), rows, "Of outputs: the paper does not ask whether the source runs.")


# Table 3 ------------------------------------------------------------------------------------------

TOKENS = (("Basic CoT", 35, 4760, 4795, 4733, "6.88 USD"), ("FuzzGPT", 104, 4760, 4864, 3925, "5.96 USD"), ("YANHUI", 1125, 4622, 5747, 4381, "6.75 USD"),
    ("CrossProbe", 2848, 2298, 5146, 3044, "5.02 USD"))


def tokens(translated):
    """translated: what `assay corpus translate all --llm URL --json` printed; None: not recorded."""
    rows = [(f"{name} (as published)", k, c, i, o, m) for name, k, c, i, o, m in TOKENS]
    asked = [r for r in translated or () if r.get("answers")]
    if asked:
        n = sum(len(r["answers"]) for r in asked)
        total, out = (sum(r[key] for r in asked) for key in ("tokens_in", "tokens_out"))
        knowledge, code = (sum(r[key] for r in asked) for key in ("bytes_knowledge", "bytes_code"))
        share = code / max(knowledge + code, 1)
        rows.append((f"assay, cassette, {n} prompts", f"{total * (1 - share) / n:.0f}", f"{total * share / n:.0f}", f"{total / n:.0f}", f"{out / n:.0f}", "a model of one's own"))
    else:
        rows.append(("assay, cassette", *[NOT_MEASURED] * 5))
    rows.append(("assay, no model", 0, 0, 0, 0, "0"))
    return table("Tokens and money (Table 3)", ("", "knowledge", "code", "input", "output", "cost"), rows, "Averages of a prompt; ours are divided into knowledge and code by bytes.")


# Table 6 ------------------------------------------------------------------------------------------


def parses(text):
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def screening(assay, full, unscreened, left_out):
    said = [assay("corpus", "translate", "all", "--json", *more) for more in ((), ("--without", "screening"))]
    kept, all_made = (({r["id"]: r["program"] for r in json.loads(s.stdout)} if s.returncode == 0 else {}) for s in said)
    dropped = {k for k, text in kept.items() if not text}
    texts = [all_made[k] for k in dropped if all_made.get(k)]
    n, n_kept = len(kept), len(kept) - len(dropped)
    filtered = [r for r in unscreened["run"] if r["id"] in left_out] if unscreened else []
    valid = wilson(sum(r["valid"] for r in filtered), len(filtered)) if unscreened else NOT_MEASURED
    rows = [("inputs", "182 / 182", NOT_MEASURED, f"{n} / {n}"), ("outputs", "116 / 182", NOT_MEASURED, f"{n_kept} / {sum(bool(t) for t in all_made.values())}"),
        ("valid, of outputs that were run", "56.0 % / 39.6 %", NOT_MEASURED, f"{of(full, 'valid')} / {of(unscreened, 'valid')}"),
        ("parseable, of those that the screening leaves out", "not told", NOT_MEASURED, wilson(sum(map(parses, texts)), len(texts))),
        ("valid, of those that the screening leaves out", "10.7 %", NOT_MEASURED, valid),
        ("share fewer generated", "36.3 %", NOT_MEASURED, f"{100 * len(dropped) / max(n, 1):.1f} %")]
    return table("With and without screening (Table 6)", ("", "paper", "model", "no model"), rows)


# Pairs and bugs -----------------------------------------------------------------------------------


def paired_share(framework, side):
    """Public functions and classes of the installed framework that have a verified pair, of all; None: there are no records."""
    found = sorted(Path(os.environ.get("ASSAY_HOME", "")).glob(f"docs/{framework}@*/records.jsonl"))
    if not found:
        return None
    paired = set()
    for path in (ROOT / "share/pairs").glob("torch-*.json"):
        file = json.loads(path.read_text())
        key = "names_a" if side == "a" else "names_b"
        if side == "a" or file["b"] == framework:
            paired |= {name for p in file["pairs"] if p["status"].startswith("equal") for name in p[key]}
    records = [json.loads(line) for line in found[-1].read_text().splitlines()[1:]]
    names = [{n.replace("tensorflow.", "tf.", 1) if framework == "tensorflow" else n for n in r["names"]} for r in records if r["kind"] in ("function", "class")]
    return sum(bool(n & paired) for n in names), len(names)


def paired(share):
    cell = lambda found: wilson(*found).split(" (")[0] + f" of {found[1]}" if found else NOT_MEASURED  # noqa: E731
    return table("Share of APIs that are paired (section 3.2)", ("framework", "paper", "assay, verified"),
        (("PyTorch", "28.9 %", cell(share("torch", "a"))), ("TensorFlow", "20.2 %", cell(share("tensorflow", "b"))), ("Keras", "not told", cell(share("keras", "b"))), ("JAX", "not told", cell(share("jax", "b")))),
        "Ours: public functions and classes of the installed version, aliases counted once, methods left out.")


def bugs():
    rows = Path(ROOT / "docs/defects.md").read_text().splitlines()
    translated = sum(line.startswith("| [") and "corpus translate" in line for line in rows)
    kinds = (("CPU and GPU differ", 8), ("a conversion changes the model", 3), ("an operator is wrong", 2), ("the environment", 4), ("a dtype or operation is not supported", 2))
    lines = table("Bugs (Table 4 and section 4.4)", ("", "bugs"), (*((f"{name} (as published)", n) for name, *_, n in PAPER),
        ("assay, by a translated issue, in docs/defects.md", translated), ("overlap of the paper's approaches", "not told"), ("overlap with a model's programs", NOT_MEASURED)))
    return lines + table("Kinds of the paper's bugs (as published)", ("kind", "bugs"), kinds)


def sections(assay, counts, all_rows, model=None, plain_model=None, translated=None):
    """counts: of rows. model: measured rows of a model told the distinctions, plain_model: of one told nothing; translated: tokens."""
    full, parts = counts(all_rows[""]), {k: counts(v) for k, v in all_rows.items() if k}
    left_out = {r["id"] for r in all_rows[""] if not r["kept"]}
    told, plain = (counts(m) if m else None for m in (model, plain_model))
    return ["## The paper's other tables", "", "Columns: the paper; programs of a language model, from a cassette; assay's tables. FuzzGPT and YANHUI stand as published.", "",
        *mirrors(assay), *basic(plain, full), *tokens(translated), *screening(assay, full, parts.get("screening"), left_out), *distinction(told, full, parts.get("distinction")),
        *paired(paired_share), *bugs()]
