/*
 * Reports of bugs: one row per format, one file each. A report is text for people or tools; nothing
 * here prints, and nothing is ever filed anywhere.
 *
 *     const struct report_format *f = report_find(STR("md"));
 *     struct report_bug bug;
 *     if (!report_bug_load(store, id, out_dir, arena, &bug, e)) ...
 *     if (!f->write(&(struct report){.bugs = &bug, .n = 1, ...}, &text, e)) ...
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/json.h"
#include "base/str.h"
#include "case/case.h"
#include "case/verdict.h"
#include "store/store.h"

/* What the bug was confirmed on; empty where it is not known. */
struct report_machine {
    struct str os;           /* "Debian GNU/Linux 12 (bookworm)" */
    struct str kernel;       /* Linux's version: "6.1.2" */
    struct str architecture; /* "x86-64" */
};

/* A bug with all a report needs. */
struct report_bug {
    struct store_bug row;
    struct store_runs runs;
    struct store_failures failures; /* the first ones */
    struct store_events events;
    struct verdicts verdicts; /* of the reduced case */
    struct report_machine machine;
    struct str sandbox;    /* of the campaign that found it: "full", "best effort (...)"; "": not
                              known */
    const char *folder;    /* absolute, or NULL when it is gone */
    const struct tcase *c; /* the reduced case; NULL: why_no_case says why */
    const char *why_no_case;
};

struct report {
    const struct report_bug *bugs;
    size_t n;
    bool one;            /* the user named a single bug: JSON is an object, not a list */
    const char *version; /* of assay */
    struct store_campaign campaign;
};

struct report_format {
    const char *name, *help, *extension;
    bool for_one; /* one bug per document: script, md */
    bool (*write)(const struct report *r, struct strbuf *out, struct err *e);
};

const struct report_format *report_find(struct str name); /* NULL */
const struct report_format *report_list(size_t *n);

/* Reads the rows of one bug, and its case. Paths of artifacts are relative to out_dir. */
bool report_bug_load(struct store *s, const struct store_bug *row, const char *out_dir,
                     struct arena *a, struct report_bug *out, struct err *e);

/* Writes reproduce.py, report.md and the facts of this machine, on which the bug was confirmed,
 * into the bug's folder. */
bool report_write_folder(const struct report_bug *bug, const char *version, struct err *e);

/* Writes the object of `bugs --json`; with `details` that of `show --json`, which adds the cost of
 * the reduction, verdicts, places and notes. */
void report_bug_json(const struct report_bug *bug, bool details, struct json_out *w);

/* Adds one line for `assay bugs`:
 *   "[S1] 3f2a9c0b1e ort/extended Pad+MaxPool wrong value 3e0 10/10 2 nodes". */
void report_bug_line(const struct store_bug *bug, struct strbuf *out);

#endif
