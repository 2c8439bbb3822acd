/*
 * A native double of an engine, for tests and benches of whole campaigns: a worker process that
 * speaks the protocol of native engines, computes the reference's values, and does wrong what the
 * caller decides.
 *
 *     static void decide(const struct double_run *run, struct double_fault *out) { ... }
 *     ... in main(): if (double_child(argc, argv, decide, &code)) return code;
 *
 * Registered (double_register) it takes the place of an engine that assay describes, with its modes
 * and optimisers; what it decides must be a function of the run.
 */
#ifndef TESTS_DOUBLE_DOUBLE_H
#define TESTS_DOUBLE_DOUBLE_H

#include "onnx/model.h"
#include "onnx/value.h"

/* A model in one mode. */
struct double_run {
    const struct model *m;     /* with shapes */
    int64_t level;             /* option "level" of the mode */
    struct str disabled;       /* optimisers that are switched off, each followed by ';' */
    const struct value *right; /* the reference's values, by value of the top graph */
};

/* What the double does wrong; all zero: nothing. */
struct double_fault {
    char refusal[256]; /* the message of an exception; empty: it runs */
    const char *type;  /* of the exception; NULL: "FAIL" */
    bool is_wrong;     /* the value wrong_at is computed wrongly, and what follows from it */
    uint32_t wrong_at;
};

typedef void (*double_fault_fn)(const struct double_run *run, struct double_fault *out);

/* Was the program started as a worker of "ort", or as the first process of its sandbox? Then serves
 * until the pool has no more cases; *code: to exit with. */
bool double_child(int argc, char **argv, double_fault_fn decide, int *code);

/* Registers this program in `home` as that version of the engine. */
bool double_register(const char *home, const char *engine, const char *version, struct err *e);

/* Is the optimiser switched on in this run? */
bool double_has_optimizer(const struct double_run *run, const char *name);

#endif
