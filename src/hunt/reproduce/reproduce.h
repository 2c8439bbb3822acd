/* From a failing key to a bug: reduced, judged again, confirmed, written down. */
#ifndef HUNT_REPRODUCE_REPRODUCE_H
#define HUNT_REPRODUCE_REPRODUCE_H

#include "hunt/reproduce/confirm_case.h"
#include "reduce/reduce.h"

struct reproducer_options {
    const char *out;     /* folder of the campaign */
    const char *scratch; /* a name for scratch folders that no other caller uses */
    uint64_t case_at;    /* index of the case: says in which targets it ran */
    bool timeless;       /* no clock decides: for campaigns by --cases */
    bool whole;          /* the case is not shrunk, since earlier attempts at that never ended */
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
    struct str why;      /* why there is no bug, in words */
    bool second_opinion; /* reproduced, but who is wrong is not certain: kept, never reported */
    bool unreduced;      /* the budget ended before the reduction did */
    struct store_bug bug;
    struct str reduced_key; /* strict, without the optimiser at fault */
    struct store_artifact artifact;
    struct confirm_result runs;
    struct incidental_failure *incidentals;
    size_t n_incidentals;
    struct reduce_counts counts;
};

enum { REPRODUCER_SECONDS = 300 }; /* wall time; no limit when timeless */

/* key: strict, from the pilot that found the failure. out->state is CONFIRM_GONE when the case does
 * not fail any more. */
bool reproduce_case(struct runner *r, const struct reproducer_options *o, const struct tcase *c,
                    struct str key, struct arena *a, struct reproducer *out, struct err *e);

#endif
