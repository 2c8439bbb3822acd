/* A made-up bug in a store in memory with a real case on disk, for the tests of report/. */
#ifndef TESTS_UNIT_REPORT_BUG_FIXTURE_H
#define TESTS_UNIT_REPORT_BUG_FIXTURE_H

#include "report/report.h"

struct scene {
    struct arena a;
    const char *dir;
    struct store *store;
    struct report_bug bug;
};

void scene_init(struct scene *s);
void scene_done(struct scene *s);

/* y = Relu(x + w), float [2, 3] */
struct model *scene_model(struct arena *a);

#endif
