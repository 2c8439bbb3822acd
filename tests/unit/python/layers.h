/* All layers of one small source, with a small table of APIs, for the tests of src/python. */
#ifndef TESTS_UNIT_PYTHON_LAYERS_H
#define TESTS_UNIT_PYTHON_LAYERS_H

#include "python/summary.h"
#include "unit/test.h"

struct layers {
    struct arena arena;
    struct py_parser *parser;
    struct paths *paths;
    struct api_table *api;
    struct source source;
    struct tree tree;
    struct names names;
    struct types types;
};

void layers_open(struct layers *l, const char *text);
void layers_open_module(struct layers *l, const char *text, const char *module);
void layers_close(struct layers *l);

/* The first node of a kind whose text begins like this; fails the test when there is none. */
uint32_t layers_find(const struct layers *l, enum py_kind kind, const char *begins);

/* The scope of the function or class of that name. */
uint32_t layers_scope(const struct layers *l, const char *name);

/* The steps, in a scope's flow, that evaluate calls whose text begins like this. */
struct step_set layers_calls(struct layers *l, const struct cfg *c, const char *begins);

#endif
