/*
 * struct schedule: which case indices are handed out next, which are done, and what each earned.
 * Pure: no clock, no store, no processes.
 *
 *     schedule__init(&s, 256, 32, n_cases);
 *     while (schedule__next(&s, true, &r)) ...                 // false: wait for results, or
 * finished schedule__put(&s, &row, ...);                      // results in any order while ((row =
 * schedule__advance(&s))) ...          // in order of index, each once
 *
 * Epoch k is handed out only when epochs <= k-2 are done, so its cases may depend on their rewards;
 * rewards are computed in order of index, so they are the same however the work was shared.
 */
#ifndef HUNT_CAMPAIGN_SCHEDULE_P_H
#define HUNT_CAMPAIGN_SCHEDULE_P_H

#include "base/map.h"
#include "base/vec.h"
#include "generate/generate.h"
#include "hunt/message.h"
#include "store/store.h"

/* A result that waits for those before it. */
struct pending {
    struct arena arena; /* holds what follows */
    struct store_result row;
    struct store_failure *failures;
    size_t n_failures;
};

struct schedule {
    uint64_t epoch_size, range_size;
    uint64_t n_cases;              /* 0: no limit */
    uint64_t next;                 /* never handed out from here on */
    uint64_t n_done;               /* all below are done and advanced over */
    uint64_t n_out;                /* handed out, not yet put */
    VEC(struct range) lost;        /* handed out once, and given back; sorted */
    VEC(struct pending *) waiting; /* by index - n_done; NULL: not there */
    VEC(struct reward) rewards;    /* of all indices below n_done */
    struct arena seen_arena;       /* texts of rewards too */
    struct map seen_rewrites, seen_ops, seen_op_dtypes;
    struct pending *current; /* what schedule__advance returned last */
};

void schedule__init(struct schedule *s, uint64_t epoch_size, uint64_t range_size, uint64_t n_cases);
void schedule__done(struct schedule *s);

/* The next range; its indices that are put already are to be skipped. careful_too: one that a pilot
 * died on may be given. */
bool schedule__next(struct schedule *s, bool careful_too, struct range *out);
bool schedule__has_lost(const struct schedule *s); /* such a range waits */

/* A pilot died: the range's indices that are not put are handed out again, one by one. */
void schedule__give_back(struct schedule *s, struct range r);

bool schedule__is_put(const struct schedule *s, uint64_t index);

/* Copies the rows. A second result of an index is dropped: false. */
bool schedule__put(struct schedule *s, const struct store_result *row,
                   const struct store_failure *failures, size_t n_failures);

/* The next result in order of index, with its reward added; NULL: it is not there yet. Valid until
 * the next call. */
const struct pending *schedule__advance(struct schedule *s);

/* How many rewards (of indices 0, 1, ...) a pilot must have applied, exactly, before it generates a
 * case of this index. */
uint64_t schedule__n_rewards(const struct schedule *s, uint64_t index);

bool schedule__is_finished(const struct schedule *s); /* n_cases are all advanced over */

#endif
