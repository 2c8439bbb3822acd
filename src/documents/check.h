/*
 * Compares documented examples with what they print: the order for the worker that runs them
 * (py/assay_worker/examples.py), its answer, and the verdicts.
 *
 * A document runs several times: with two seeds, and with uninitialised memory filled. Output that
 * differs between these runs depends on the seed or on memory, and only its shape and type are
 * compared with the document. A variable whose printed elements depend on the seed is put back: it
 * is set to the printed elements, and the document runs again.
 *
 *     struct document d;
 *     document_open(record, arena, &d);                       // its statements
 *     document_order(&d, &json);                              // first runs
 *     document_take(&d, runs, DOCUMENT_RUNS);
 *     if (document_put_back(&d, arena)) ...                   // order and take once more
 *     document_judge(&d, arena, &findings, &tally);
 */
#ifndef DOCUMENTS_CHECK_H
#define DOCUMENTS_CHECK_H

#include "documents/example.h"
#include "documents/record.h"

enum { DOCUMENT_RUNS = 3 };

/* What one statement did in one run. */
struct example_result {
    struct str printed, type, message; /* type: of the exception raised; "": none */
    bool was_put;
};

struct document_run {
    struct str name, end; /* end: "done", "timeout", "signal 11", "exit 70" */
    const struct example_result *at;
    size_t n; /* statements that ran */
};

struct document {
    const struct api_record *record;
    struct example_list examples;
    struct str *puts; /* by statement: elements to put back into the variable it shows; "": none */
    const struct document_run *runs[DOCUMENT_RUNS];
};

/* OK: no finding. STALE (D2): cosmetic, or cannot be run as written. WRONG (D1): document or code
 * is wrong; a person decides which. */
enum document_class { DOCUMENT_OK, DOCUMENT_STALE, DOCUMENT_WRONG };

struct document_finding {
    const struct document *document;
    size_t at; /* the statement */
    enum document_class class;
    const char *kind;   /* "value", "dtype", "shape", "raises", "does not raise", "dies", ... */
    struct str detail;  /* in words */
    struct str printed; /* or type and message of the exception */
    bool follows;       /* an earlier statement of the document failed: never WRONG */
};

struct document_findings {
    struct document_finding *at;
    size_t n, cap;
};

/* Counts of statements by result. */
struct document_tally {
    size_t n_documents, n_statements, n_expected, n_equal, n_elided, n_seed, n_no_output, n_stale,
        n_wrong, n_follow;
    struct map skipped; /* reason -> statements */
};

void document_open(const struct api_record *r, struct arena *a, struct document *out);

/* Writes one element of the order's "documents" per run. */
void document_order(const struct document *d, struct json_out *w);

/* Reads the lines of an answer, in order. ERR_DATA: one is invalid. */
bool document_runs_read(struct str answer, struct arena *a, const struct document_run **out,
                        size_t *n, struct err *e);

/* runs: DOCUMENT_RUNS rows of the answer. */
void document_take(struct document *d, const struct document_run *runs);

/* Is there a variable to put back? Then the next order does so. */
bool document_put_back(struct document *d, struct arena *a);

void document_judge(const struct document *d, struct arena *a, struct document_findings *out,
                    struct document_tally *tally);

/* Why an exception of this type and message is no defect of document or code, "needs a file";
 * NULL: it may be one. */
const char *document_skip_reason(struct str type, struct str message);

#endif
