/* Shared by the files that make up summaries. */
#ifndef PYTHON_SUMMARY_P_H
#define PYTHON_SUMMARY_P_H

#include "python/names_p.h"
#include "python/summary.h"
#include "python/types_p.h"

/* The qualified name of the API of a row; PATH_NONE when it is no function or class. */
uint32_t summary__path_of_row(const struct types *k, uint32_t api);

/* What the members and the last activation of a module are. */
struct made_module summary__made(const struct types *k, uint32_t node);
/* What the function f of a scope says about one value that it returns. */
struct summary_return summary__return(const struct types *k, uint32_t scope,
                                      const struct function_summary *f, uint32_t value);
/* Which of the n values an optimizer holds, as bits. */
uint32_t summary__held_among(const struct types *k, uint32_t optimizer, const uint32_t *values,
                             unsigned n);
/* Keeps in `a` what both say. */
void summary__merge_return(struct summary_return *a, const struct summary_return *b);
/* Adds the values under words in the function's result (summary_parts.c). */
void summary__add_parts(const struct types *k, uint32_t scope, struct function_summary *f);
/* Adds the pairs of modules that it averages or copies (summary_blend.c). */
void summary__add_blends(const struct types *k, uint32_t scope, struct function_summary *f);
/* Adds the flags of the function, and the effects that depend on them (summary_flag.c). */
void summary__add_flags(const struct types *k, uint32_t scope, struct function_summary *f);
/* The position of a parameter by its word; -1: none. */
int summary__parameter_at(const struct function_summary *f, uint32_t word);
/* The place where an object outlives the call, as the slot of an effect without roles. */
void summary__place(const struct types *k, uint32_t scope, const struct function_summary *f,
                    uint32_t object, struct summary_effect *e);
/* Is the call resolved to a path only, so perhaps of a function that another file defines? */
bool summary__is_pending(const struct types *k, uint32_t call);

/* Adds the calls that lead out of the file. */
void summary__add_sites(const struct types *k, struct arena *a, struct file_summary *out);

#endif
