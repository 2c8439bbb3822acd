/*
 * One case through engines and oracles, as the command line asks for it: what `run` does once and
 * `reduce` many times.
 *
 *     struct case_run r;
 *     if (!case_run_open(&r, s, e)) ...
 *     struct case_seen seen;
 *     if (!case_run_judge(&r, c, arena, &seen, e)) ...
 *     case_run_close(&r);
 */
#ifndef CLI_CASE_RUN_H
#define CLI_CASE_RUN_H

#include "cli/settings.h"
#include "judge/judge.h"
#include "os/loop.h"
#include "target/pool.h"

struct case_run {
    struct loop *loop;
    struct pool *pool;
    struct targets all;
    struct target_list targets;
    struct judge_options judge;
};

struct case_seen {
    struct pool_result observations;
    struct pool_result parents; /* of the case's parent: for the metamorphic oracle */
    struct evidence evidence;
    struct verdicts verdicts;
};

/* --oracle as a set of bits; --target as a list, with the engines they need. */
bool case_run_oracles(const struct settings *s, uint32_t *out, struct err *e);
bool case_run_targets(const struct settings *s, const char *home, struct targets *all,
                      struct target_list *out, struct err *e);

/* --target, --oracle, --sandbox. */
bool case_run_open(struct case_run *r, const struct settings *s, struct err *e);
void case_run_close(struct case_run *r);

/* From now on only this target runs: "ort@1.31.1/all". */
bool case_run_only(struct case_run *r, const struct settings *s, const char *target, struct err *e);

/* Runs the case twice in each target, its parent once if an oracle asks for it, and judges both. */
bool case_run_judge(struct case_run *r, const struct tcase *c, struct arena *a,
                    struct case_seen *out, struct err *e);

/* A case folder, or a model with inputs of --input or --seed. */
bool case_run_load(const struct settings *s, const char *path, struct tcase **out, struct err *e);

#endif
