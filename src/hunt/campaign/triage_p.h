/*
 * struct triage: failing keys in the order in which they are reduced. Pure: no clock, no store.
 *
 * Of each key the failing case of the lowest index is reduced, and up to TRIAGE_VARIANTS - 1 others
 * unlike it, since one message may have several causes: they share less than half of their
 * operators. The first HUNT_CANDIDATES cases of a key are looked at. A key needs no reduction of
 * its own when it is the final key of a bug, or when the last TRIAGE_SAME_END reductions with its
 * coarse key ended in one and the same bug (a coarse key leaves out what feeds the culprit and how
 * large the error is). With `strict` both are decided only from items at least TRIAGE_WINDOW places
 * earlier: up to that many reductions run at once, and the decision must not depend on which ends
 * first. When strict, failures met during reductions come after all others, and keys that may not
 * show again come last, one at a time.
 */
#ifndef HUNT_CAMPAIGN_TRIAGE_P_H
#define HUNT_CAMPAIGN_TRIAGE_P_H

#include "base/map.h"
#include "base/vec.h"
#include "hunt/message.h"

enum { TRIAGE_WINDOW = 8, TRIAGE_SAME_END = 3, TRIAGE_VARIANTS = 5 };

/* After so many unfinished attempts a failing case is stored without reduction; after twice as many
 * it is given up. */
enum { TRIAGE_TRIES = 3 };

/* The lists of items; when strict they are reduced in this order. */
enum triage_order { TRIAGE_CASE, TRIAGE_INCIDENTAL, TRIAGE_LATE };

enum triage_state { TRIAGE_WAITING, TRIAGE_RUNNING, TRIAGE_SETTLED };

struct triage_item {
    struct str name; /* of its job: "triage/12", "side/3.0" */
    struct str key, coarse, folder;
    struct str ops;   /* of the case, with their dtypes */
    struct str alias; /* the key; of a variant, followed by the item's name */
    bool is_variant;  /* not the first of its key */
    struct str bug;   /* settled: final key of the bug that it belongs to; empty: none */
    int64_t case_at;
    enum triage_state state;
    enum triage_order order;
    bool was_reduced;  /* settled by its own reduction */
    bool is_dead;      /* settled because its reduction ended pilots */
    bool is_duplicate; /* an incidental failure whose key another item has */
    bool is_remade;    /* its case was removed from the disk, and its index is run once more */
    uint32_t attempts; /* pilots that died on it since the campaign was last resumed */
    int64_t n_begun;   /* how often it was begun since the campaign began */
};

struct triage_key {
    uint32_t n_seen, n_items;
    size_t items[TRIAGE_VARIANTS]; /* places in `items`, or in `late` */
};

struct triage {
    struct arena arena;
    bool strict;
    bool incidentals_too; /* all cases are judged; when strict, incidental items wait for that */
    VEC(struct triage_item) items;       /* of cases, in order of discovery */
    VEC(struct triage_item) incidentals; /* by name */
    VEC(struct triage_item) late;        /* strict: keys that are not steady (key_p.h) */
    size_t n_settled;                    /* the first n_settled items are settled */
    struct map taken; /* provisional key that has an item of a case -> place in taken_by */
    VEC(struct triage_key) taken_by;
    struct map begun; /* coarse key -> reductions begun; when not strict, the fewest come first */
    struct map known; /* final key -> place + 1 of the item that found it; 0: an earlier campaign */
};

void triage__init(struct triage *t, bool strict);
void triage__done(struct triage *t);

/* The key of a bug of an earlier campaign: it needs no reduction. */
void triage__know(struct triage *t, struct str key);

/* Adds an item unless the key has a similar one, or enough of them. Called in order of index. */
struct triage_item *triage__add(struct triage *t, struct str key, struct str ops, struct str folder,
                                int64_t case_at);
struct triage_item *triage__add_incidental(struct triage *t, struct str name, struct str key,
                                           struct str folder, int64_t case_at);

/* The next item to reduce. Settles items before it whose key is known by now, and calls on_known
 * for each. */
struct triage_item *triage__next(struct triage *t,
                                 void (*on_known)(void *ctx, struct triage_item *item), void *ctx);

/* The item is being reduced. */
void triage__begin(struct triage *t, struct triage_item *item);

/* The item's reduction has ended. final_key: of the bug; empty: there is none. reduced_key: of the
 * reduced case, before that key is final. */
void triage__settle(struct triage *t, struct triage_item *item, struct str final_key,
                    struct str reduced_key);
/* Settles an item without a reduction of its own, since its key is known. */
void triage__settle_known(struct triage *t, struct triage_item *item, struct str final_key);

struct triage_item *triage__find(struct triage *t, struct str name);
struct triage_counts {
    size_t n_waiting, n_dead;
    size_t n_unproved; /* reduced, and no bug: the failure did not come again */
};
struct triage_counts triage__count(const struct triage *t);
bool triage__is_idle(const struct triage *t); /* no item is being reduced and none is ready to be */

#endif
