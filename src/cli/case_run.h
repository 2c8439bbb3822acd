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

/* Programs named on the command line run as their user would run them, unless --sandbox is given.
 */
bool case_run_is_own_program(const struct settings *s);

/* Are the arguments all programs, or none of them? The others run in the sandbox. */
bool case_run_are_of_one_kind(const struct settings *s, struct err *e);

/* Loads a case folder, a program, or a model with inputs of --input or --seed. A model that uses
 * what the reference lacks is loaded too. The message of an error names the file. */
bool case_run_load(const struct settings *s, const char *path, struct tcase **out, struct err *e);

#endif
