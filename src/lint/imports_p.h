/* Which modules a text imports, read line by line without a tree: this decides which files are read
 * first. It may find too many (a line inside a string), which changes no name's meaning.
 */
#ifndef LINT_IMPORTS_P_H
#define LINT_IMPORTS_P_H

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

/* from ..pkg.mod import name: {"pkg.mod", 2, "name"}; import pkg.mod: {"pkg.mod", 0, ""}. */
struct import_ref {
    struct str module;
    uint32_t n_dots;
    struct str name; /* "*" too */
};

struct import_list {
    VEC(struct import_ref) refs; /* texts are borrowed from the bytes */
};

void imports__scan(struct str bytes, bool is_notebook, struct arena *a, struct import_list *out);

#endif
