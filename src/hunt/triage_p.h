/*
 * struct triage: failing keys in the order in which they are reduced. Pure: no clock, no store.
 *
 * A key is taken up once, with the failing case of the lowest index. Whether a key is known already
 * is decided from those more than TRIAGE_WINDOW places before it only (with `strict`), so up to
 * that many reductions run at once and the decision does not depend on which of them ends first.
 * Failures met during reductions (side finds) come after all others when strict.
 */
#ifndef HUNT_TRIAGE_P_H
#define HUNT_TRIAGE_P_H

#include "base/map.h"
#include "base/vec.h"

enum { TRIAGE_WINDOW = 8 };

enum triage_state { TRIAGE_WAITING, TRIAGE_RUNNING, TRIAGE_SETTLED };

struct triage_item {
    struct str name; /* of its job: "triage/12", "side/3.0" */
    struct str key, folder;
    int64_t case_at;
    enum triage_state state;
    bool is_side;
    uint32_t attempts; /* pilots that died on it */
};

struct triage {
    struct arena arena;
    bool strict;
    bool sides_too; /* all cases are judged: side finds may be taken up when strict */
    VEC(struct triage_item) items; /* of cases, in order of discovery */
    VEC(struct triage_item) sides; /* in order of (item, ordinal) */
    struct map taken;              /* provisional keys that have an item */
    struct map known;              /* key -> place + 1 of the item that made it known; 0: before */
};

void triage__init(struct triage *t, bool strict);
void triage__done(struct triage *t);

/* A key that needs no reduction: of a bug of an earlier campaign. */
void triage__know(struct triage *t, struct str key);

/* Adds an item unless the key has one. */
struct triage_item *triage__add(struct triage *t, struct str key, struct str folder,
                                int64_t case_at);
struct triage_item *triage__add_side(struct triage *t, struct str name, struct str key,
                                     struct str folder, int64_t case_at);

/* The next item to run; those that turn out known on the way are settled and told. */
struct triage_item *triage__next(struct triage *t,
                                 void (*on_known)(void *ctx, struct triage_item *item), void *ctx);

/* What the item ended in: the bug's final key, or empty. */
void triage__settle(struct triage *t, struct triage_item *item, struct str final_key);

struct triage_item *triage__find(struct triage *t, struct str name);
size_t triage__n_waiting(const struct triage *t);
bool triage__is_idle(const struct triage *t); /* nothing waits that may be taken up, none runs */

#endif
