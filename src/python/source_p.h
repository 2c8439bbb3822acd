/* Shared by the files that make up struct source. */
#ifndef PYTHON_SOURCE_P_H
#define PYTHON_SOURCE_P_H

#include "python/source.h"

/* Fills `lines` for the present text. */
void source__find_lines(struct source *s);

/* Makes text and cells of a notebook from the JSON in raw. */
bool source__join_cells(struct source *s, struct err *e);

#endif
