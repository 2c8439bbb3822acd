/* Between the files that make up summaries. */
#ifndef PYTHON_SUMMARY_P_H
#define PYTHON_SUMMARY_P_H

#include "python/names_p.h"
#include "python/summary.h"
#include "python/types_p.h"

/* The qualified name of the API that a row is of; PATH_NONE when it is no function or class. */
uint32_t summary__path_of_row(const struct types *k, uint32_t api);

/* A call of this file's scope to a function defined elsewhere in the project (perhaps): resolved to
 * a path, not to a row. */
/* Of a module: what its members and its end are. */
struct made_module summary__made(const struct types *k, uint32_t node);
/* What stands under words in what the function returns (summary_parts.c). */
void summary__add_parts(const struct types *k, uint32_t scope, struct function_summary *f);
/* Which modules it averages, copies or walks side by side (summary_blend.c). */
void summary__add_blends(const struct types *k, uint32_t scope, struct function_summary *f);
/* The place of a parameter by its word; -1. */
int summary__parameter_at(const struct function_summary *f, uint32_t word);
/* Where an object lives beyond the call, as the slot of an effect without roles. */
void summary__place(const struct types *k, uint32_t scope, const struct function_summary *f,
                    uint32_t object, struct summary_effect *e);
bool summary__is_pending(const struct types *k, uint32_t call);

/* Adds the calls that lead out of the file. */
void summary__add_sites(const struct types *k, struct arena *a, struct file_summary *out);

#endif
