/*
 * struct schedule: which case indices are handed out next, which are done, and what each earned.
 * Pure: no clock, no store, no processes.
 *
 *     schedule__init(&s, 256, 32, n_cases);
 *     while (schedule__next(&s, true, &r)) ...     // false: waits for results, or all is done
 *     schedule__put(&s, &row, ...);                // results come in any order
 *     while ((row = schedule__advance(&s))) ...    // and leave in order of index, each once
 *
 * Epoch k is handed out only when epochs <= k-2 are done, so its cases may depend on their rewards.
 * Rewards are computed in order of index, so they are the same however the work was shared. Single
 * rewards of the last SCHEDULE_EPOCHS epochs are kept, the sums of all in `learning`: memory does
 * not grow with the number of cases.
 *
 * schedule__save writes what schedule__advance has gathered, so that a resumed campaign reads only
 * the results after it.
 */
#ifndef HUNT_CAMPAIGN_SCHEDULE_P_H
#define HUNT_CAMPAIGN_SCHEDULE_P_H

#include "base/map.h"
#include "base/vec.h"
#include "hunt/learning.h"
#include "hunt/message.h"
#include "store/store.h"

/* A result that waits for those of lower indices. */
struct pending {
    struct arena arena; /* holds what follows */
    struct store_result row;
    struct store_failure *failures;
    size_t n_failures;
};

enum { SCHEDULE_EPOCHS = 4 };

struct epoch_rewards {
    struct arena arena; /* holds the texts */
    VEC(struct reward) at;
};

struct schedule {
    uint64_t epoch_size, range_size;
    uint64_t n_cases;       /* 0: no limit */
    uint64_t n_ready;       /* only lower indices may be handed out */
    uint64_t next;          /* lowest index that was never handed out */
    uint64_t n_done;        /* every lower index is done, and schedule__advance has returned it */
    uint64_t n_out;         /* handed out, not yet put */
    VEC(struct range) lost; /* handed out, then given back because the pilot died; sorted */
    VEC(uint64_t) retried;  /* to be run once more, though below n_done */
    VEC(struct pending *)
    waiting;                  /* results that came early, by index - n_done; NULL: not here yet */
    struct learning learning; /* from all indices below n_done */
    struct epoch_rewards recent[SCHEDULE_EPOCHS]; /* of epoch k: at k mod SCHEDULE_EPOCHS */
    uint64_t recent_from;                         /* rewards of lower indices are gone */
    struct arena seen_arena;
    struct map seen_rewrites, seen_ops, seen_op_dtypes, seen_cells;
    struct pending *current; /* what schedule__advance returned last */
};

/* epoch_size: indices per generator. */
void schedule__init(struct schedule *s, size_t n_generators, uint64_t epoch_size,
                    uint64_t range_size, uint64_t n_cases);
void schedule__done(struct schedule *s);

/* Only indices below n_ready may be handed out; without a call all may. */
void schedule__ready(struct schedule *s, uint64_t n_ready);

/* Hands out the next range. The caller skips indices that have a result already. careful_too: the
 * range may be one that was given back. */
bool schedule__next(struct schedule *s, bool careful_too, struct range *out);
bool schedule__has_lost(const struct schedule *s); /* a range that was given back waits */

/* A pilot died: indices of its range without a result are handed out again; careful: one by one. */
void schedule__give_back(struct schedule *s, struct range r, bool careful);

/* Hands out an index again that counts as done because it was given up. */
void schedule__retry(struct schedule *s, uint64_t index);
/* Was schedule__retry called for the index? Forgets it then. Its result changes no reward, since
 * later cases have been made without it. */
bool schedule__take_retried(struct schedule *s, uint64_t index);
/* Is the state of learning at which the index's epoch was handed out no longer known? */
bool schedule__is_past(const struct schedule *s, uint64_t index);

bool schedule__is_put(const struct schedule *s, uint64_t index);

/* Copies the rows. false: the index has a result already, and this one is dropped. */
bool schedule__put(struct schedule *s, const struct store_result *row,
                   const struct store_failure *failures, size_t n_failures);

/* The next result in order of index, after its reward was added; NULL while it is missing. Valid
 * until the next call. */
const struct pending *schedule__advance(struct schedule *s);

/* How many rewards (of indices 0, 1, ...) a pilot must know before it generates a case of this
 * index; it may know later ones. */
uint64_t schedule__n_rewards(const struct schedule *s, uint64_t index);

/* The reward of an index, recent_from <= index < n_done. */
const struct reward *schedule__reward(const struct schedule *s, uint64_t index);

/* Write the state as JSON text, and read it into a schedule that was just initialised. */
void schedule__save(const struct schedule *s, struct strbuf *out);
bool schedule__load(struct schedule *s, struct str text, struct err *e);

bool schedule__is_finished(
    const struct schedule *s); /* all n_cases were returned by schedule__advance */

#endif
