/* From a failing key to a bug: reduced, judged again, confirmed, written down. */
#ifndef HUNT_REPRODUCE_REPRODUCE_H
#define HUNT_REPRODUCE_REPRODUCE_H

#include "hunt/reproduce/confirm_case.h"
#include "reduce/reduce.h"

struct reproducer_options {
    const char *out;     /* folder of the campaign */
    const char *scratch; /* a name for scratch folders that no other caller uses */
    bool timeless;       /* no clock decides: for campaigns by --cases */
    bool whole;          /* it is not shrunk, since that never ended in earlier attempts */
    void (*on_progress)(void *ctx, uint32_t n_before, uint32_t n_nodes);
    bool (*should_stop)(void *ctx); /* the coordinator has gone */
    void *ctx;
};

/* A failure of another kind that was met during the reduction. */
struct incidental_failure {
    struct str key, folder;
};

struct reproducer {
    enum confirm_state state;
    struct str why;      /* in words, when it ended without a bug */
    bool second_opinion; /* reproduced, but nobody can say who is wrong: kept, never reported */
    bool unreduced;      /* the budget ended before the reduction did */
    struct store_bug bug;
    struct str reduced_key; /* strict, before the optimiser at fault was known */
    struct store_artifact artifact;
    struct confirm_result runs;
    struct incidental_failure *incidentals;
    size_t n_incidentals;
    struct reduce_counts counts;
};

enum { REPRODUCER_SECONDS = 300 }; /* wall time, where a time limit applies at all */

/* key: strict, as the pilot that found it saw it. CONFIRM_GONE: it does not fail any more. */
bool reproduce_case(struct runner *r, const struct reproducer_options *o, const struct tcase *c,
                    struct str key, struct arena *a, struct reproducer *out, struct err *e);

#endif
