/* A case as the command line names it: what `run`, `reduce` and `hunt` load and resolve. */
#ifndef CLI_CASE_RUN_H
#define CLI_CASE_RUN_H

#include "case/case.h"
#include "cli/settings.h"
#include "judge/judge.h"
#include "target/target.h"

/* --oracle as a set of bits; --target as a list, with the runners of its converters added. */
bool case_run_oracles(const struct settings *s, uint32_t *out, struct err *e);
bool case_run_targets(const struct settings *s, const char *home, struct targets *all,
                      struct target_list *out, struct err *e);

/* A program named on the command line runs as its user would run it, unless --sandbox is given. */
bool case_run_is_own_program(const struct settings *s);

/* Loads a case folder, a program, or a model with inputs of --input or --seed. A model that uses
 * what the reference lacks is loaded too. */
bool case_run_load(const struct settings *s, const char *path, struct tcase **out, struct err *e);

#endif
