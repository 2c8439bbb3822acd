/* Edits of calls. */
#ifndef PYTHON_EDIT_CALL_H
#define PYTHON_EDIT_CALL_H

#include "python/edit.h"
#include "python/tree.h"

/* A keyword argument: its name, also as a word of the tree's parser, and its value as source. */
struct keyword {
    struct str name, value;
    uint32_t word;
};

/* Gives a call the argument, in place of the one of that name if there is one. A node that is no
 * call becomes one: "@f" becomes "@f(k=v)". */
void edit_set_keyword(struct edit_set *set, struct arena *a, const struct tree *t, uint32_t node,
                      const struct keyword *k, uint32_t group);

#endif
