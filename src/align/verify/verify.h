/*
 * Makes an alignment: lists the public symbols of the installed frameworks, runs each once on
 * shared calls, proposes pairs, finds their adapters, judges them, tells rivals apart, and writes
 * one file of pairs for each two sides.
 *
 *     struct verify_options o = {.home = home, .targets = &all, .out = "share/pairs", ...};
 *     if (!verify_run(&o, &result, e)) ...
 *
 * Outputs are stored in home/align/OPENS@VERSION and used again: a run that was stopped continues
 * and repeats only the portion that was running.
 */
#ifndef ALIGN_VERIFY_VERIFY_H
#define ALIGN_VERIFY_VERIFY_H

#include "target/target.h"

struct verify_counts {
    size_t n_pairs, equal, adapted, mixed, unverified, rejected;
    size_t operators, names; /* of side A with a verified partner */
    size_t needs_adapter;    /* operators: < 50 % equal without it, >= 90 % with it */
};

struct verify_options {
    const char *home;
    const struct targets *targets;
    const char *out;         /* folder of the files of pairs */
    const char *const *only; /* the sides that take part besides the first; n_only 0: all */
    size_t n_only;
    const char *const *symbols; /* patterns of public names, of all sides; n_symbols 0: all */
    size_t n_symbols;
    bool best_effort, stored_only;
    void (*tell)(void *ctx, const char *line);
    void *ctx;
};

struct verify_result {
    struct {
        struct str a, b, file;
        struct verify_counts counts;
    } files[8];
    size_t n;
    size_t n_calls, n_left_out; /* sides that are not installed */
};

bool verify_run(const struct verify_options *o, struct arena *a, struct verify_result *out,
                struct err *e);

#endif
