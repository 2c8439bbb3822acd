/*
 * Campaigns with real pilots and a native double of ONNX Runtime (double/double.h) that has 20
 * planted faults, each with a model that shows it. All end in one message of a Conv:
 *
 *     O0 .. O4   differ only in the optimiser that must be switched on
 *     L0 .. L4   differ only in the lowest level that shows them
 *     E0 .. E4   differ only in the edge of the Conv that its producer feeds, or in that producer
 *     N0 .. N4   an earlier node gives a wrong value, by which the Conv fails
 *
 * Before these stand four operators that differ from model to model, so that no two cases of a
 * group are alike.
 */
#ifndef TESTS_UNIT_HUNT_DOUBLE_FIXTURE_H
#define TESTS_UNIT_HUNT_DOUBLE_FIXTURE_H

#include "base/arena.h"
#include "hunt/hunt.h"

enum { N_PLANTED = 20, N_OF_GROUP = 5 };

extern const char *const planted_optimizers[N_OF_GROUP]; /* of O0 .. O4 */
extern const char *const planted_levels[N_OF_GROUP];     /* modes of L0 .. L4 */
extern const char *const planted_sources[N_OF_GROUP];    /* operators of N0 .. N4 */

/* The double's home, the campaign's folder and a model for each fault. */
struct double_campaign {
    struct arena arena;
    const char *home, *out;
    const char *models[N_PLANTED];
};

void double_campaign_open(struct double_campaign *c);
void double_campaign_close(struct double_campaign *c); /* removes the folders */

/* One case for each model, in all levels, by one pilot. */
struct hunt_options double_campaign_options(const struct double_campaign *c);

#endif
