/*
 * The making of an alignment: what is installed is asked for its public symbols, each runs once on
 * shared calls, pairs are proposed, joined by adapters and judged, rivals are told apart, and one
 * file of pairs is written for each two sides.
 *
 *     struct verify_options o = {.home = home, .targets = &all, .out = "share/pairs", ...};
 *     if (!verify_run(&o, &result, e)) ...
 *
 * Stored outputs stand in home/align/OPENS@VERSION and are used again: a run that was stopped goes
 * on where it was, at the cost of the portion that was running.
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
    const char *const *only; /* sides that take part besides the first; none: all */
    size_t n_only;
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
