/*
 * Shrinks a failing case, graph or program. The caller asks for candidates, runs and judges several
 * at once while the hunt goes on, and reports the answers.
 *
 *     struct reduction *r;
 *     if (!reduce_open(&(struct reduce_options){0}, c, &keys.at[0], &r, e)) ...
 *     const struct tcase *t;
 *     for (;;) {
 *         while (reduce_next(r, &t)) submit(t);
 *         if (reduce_is_done(r)) break;
 *         ... wait for one ...
 *         reduce_tell(r, &id, &seen);                   // keys of its verdicts; empty: it passes
 *     }
 *     const struct tcase *small = reduce_best(r);       // lives in r
 *     reduce_close(r);
 *
 * A candidate counts only if it fails with the same guard key and its error is at least ten times
 * the tolerance or half the original's. Candidates are valid cases: checked, inferred, with a
 * reference of finite values; others are dropped without a run. The result depends on the case, the
 * seed, the budget and the answers alone, whatever the number outstanding. The caller must run the
 * same targets each time, since a key names the first failing mode.
 */
#ifndef REDUCE_REDUCE_H
#define REDUCE_REDUCE_H

#include "base/err.h"
#include "case/case.h"
#include "judge/bucket.h"

/* REDUCE_LIMIT_RUNS: the runs of the budget that a candidate takes if it meets a limit of time or
 * memory. It costs its whole deadline, so the reduction of a hang ends after a known number of
 * them, without a clock. */
enum { REDUCE_BUDGET_RUNS = 2000, REDUCE_LIMIT_RUNS = 50, REDUCE_OUTSTANDING_MAX = 64 };

struct reduce_options {
    uint32_t budget_runs;   /* candidates tried, without wrong guesses; 0: REDUCE_BUDGET_RUNS */
    uint32_t n_outstanding; /* candidates handed out at once; 0: 4 */
    uint64_t seed;          /* for seeded weights and inputs */
};

struct reduction;

/* key: the failure to keep. The case must outlive the reduction. */
bool reduce_open(const struct reduce_options *o, const struct tcase *c, const struct key *key,
                 struct reduction **out, struct err *e);

/* The next candidate, with its reference. It is valid until the call of either function after its
 * reduce_tell. false: there is none until the next answer, or the reduction is done. */
bool reduce_next(struct reduction *r, const struct tcase **candidate);
bool reduce_is_done(const struct reduction *r);

/* Reports the keys of the candidate with this id. The order of answers does not matter. */
enum reduce_told {
    REDUCE_TOLD_SAME,  /* the same failure: the new best, unless an earlier candidate is */
    REDUCE_TOLD_OTHER, /* another failure: worth its own reduction */
    REDUCE_TOLD_PASS,
    REDUCE_TOLD_UNKNOWN /* no such candidate is outstanding */
};
enum reduce_told reduce_tell(struct reduction *r, const struct hash *candidate,
                             const struct keys *seen);

/* The number (1, 2, ...) of the candidate with this content; 0: it ran ahead by a wrong guess. Once
 * the reduction is done, this does not depend on how many ran at the same time. */
uint32_t reduce_place(const struct reduction *r, const struct hash *content);

const struct tcase *reduce_best(const struct reduction *r); /* at first the original case */

struct reduce_counts {
    uint32_t n_nodes_before, n_nodes; /* without Constant nodes; of a program, statements */
    uint32_t n_runs;                  /* including wrong guesses */
    uint32_t n_tried, n_cached, n_invalid, n_kept;
    bool out_of_budget;
};
struct reduce_counts reduce_counts(const struct reduction *r);

void reduce_close(struct reduction *r);

#endif
