/*
 * struct triage: failing keys in the order in which they are reduced. Pure: no clock, no store.
 *
 * A key is taken up once, with the failing case of the lowest index. It needs no reduction of its
 * own when it is the final key of a bug, or when the last TRIAGE_SAME_END reductions with its
 * coarse key have ended in one and the same bug (a coarse key leaves out what feeds the culprit and
 * how large the error is). Both are decided from the items more than TRIAGE_WINDOW places before it
 * only (with `strict`), so up to that many reductions run at once and the decision does not depend
 * on which of them ends first. When strict, incidental failures (met during reductions) come after
 * all others, and last, one by one, those that need not come again.
 */
#ifndef HUNT_CAMPAIGN_TRIAGE_P_H
#define HUNT_CAMPAIGN_TRIAGE_P_H

#include "base/map.h"
#include "base/vec.h"

enum { TRIAGE_WINDOW = 8, TRIAGE_SAME_END = 3 };

/* A reduction that was begun so often without an end is made no more: the case counts as it was
 * found; and after twice as many the item is given up. */
enum { TRIAGE_TRIES = 3 };

/* Lists, in the order in which they are worked off when strict. */
enum triage_order { TRIAGE_CASE, TRIAGE_INCIDENTAL, TRIAGE_LATE };

enum triage_state { TRIAGE_WAITING, TRIAGE_RUNNING, TRIAGE_SETTLED };

struct triage_item {
    struct str name; /* of its job: "triage/12", "side/3.0" */
    struct str key, coarse, folder;
    struct str bug; /* settled: final key of the bug that it belongs to; empty: none */
    int64_t case_at;
    enum triage_state state;
    enum triage_order order;
    bool was_reduced;  /* settled by a reduction, not by what was known */
    bool is_duplicate; /* an incidental failure whose key another item has */
    uint32_t attempts; /* pilots that died on it, in this stretch */
    int64_t n_begun;   /* times that it was begun, in all stretches */
};

struct triage {
    struct arena arena;
    bool strict;
    bool
        incidentals_too; /* all cases are judged: incidental failures may be taken up when strict */
    VEC(struct triage_item) items;       /* of cases, in order of discovery */
    VEC(struct triage_item) incidentals; /* by name */
    VEC(struct triage_item) late;        /* strict: keys that are not steady (key_p.h) */
    size_t n_settled;                    /* items below are settled */
    struct map taken;                    /* provisional keys that have an item of a case */
    struct map known; /* final key -> place + 1 of the item that made it known; 0: before */
};

void triage__init(struct triage *t, bool strict);
void triage__done(struct triage *t);

/* A key that needs no reduction: of a bug of an earlier campaign. */
void triage__know(struct triage *t, struct str key);

/* Adds an item unless the key has one. */
struct triage_item *triage__add(struct triage *t, struct str key, struct str folder,
                                int64_t case_at);
struct triage_item *triage__add_incidental(struct triage *t, struct str name, struct str key,
                                           struct str folder, int64_t case_at);

/* The next item to run; those that turn out known on the way are settled and told. */
struct triage_item *triage__next(struct triage *t,
                                 void (*on_known)(void *ctx, struct triage_item *item), void *ctx);

/* What the item's reduction ended in: the bug's final key, or empty. */
void triage__settle(struct triage *t, struct triage_item *item, struct str final_key);
/* The same for an item that was found known: by a campaign that goes on. */
void triage__settle_known(struct triage *t, struct triage_item *item, struct str final_key);

struct triage_item *triage__find(struct triage *t, struct str name);
size_t triage__n_waiting(const struct triage *t);
bool triage__is_idle(const struct triage *t); /* nothing waits that may be taken up, none runs */

#endif
