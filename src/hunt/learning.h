/*
 * struct learning: what the generators of a campaign learned, one struct learned each: index i of
 * the campaign belongs to the (i mod n)-th. The coordinator and every pilot hold one and add the
 * same rewards in the same order; a pilot that starts later begins with a copy.
 */
#ifndef HUNT_LEARNING_H
#define HUNT_LEARNING_H

#include "generate/generate.h"

enum { HUNT_GENERATORS_MAX = 16 };

struct learning {
    struct learned of[HUNT_GENERATORS_MAX];
    size_t n;           /* generators */
    uint64_t n_rewards; /* of indices 0 .. n_rewards-1 */
};

void learning_init(struct learning *l, size_t n_generators);
void learning_done(struct learning *l);

/* Adds the reward of index n_rewards. */
void learning_reward(struct learning *l, const struct reward *r);

void learning_save(const struct learning *l, struct strbuf *out);
/* Replaces everything. ERR_DATA: learning_save did not write the text, or with another number of
 * generators. */
bool learning_load(struct learning *l, struct str text, struct err *e);

#endif
