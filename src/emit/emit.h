/*
 * Writes a graph as a Python program of one framework, one operator per line. The program runs as a
 * case and is its reproducer.
 *
 *     struct program p;
 *     if (!emit_program(model, STR("torch"), EMIT_WEIGHTS_INLINE, arena, &p, e)) ...
 *     // p.source: imports, the helpers that are used, then p.entry
 *
 * p.entry is a function, or a class that is made without arguments and called. A call takes the
 * graph's inputs without a default, in order, and returns the graph's outputs, a tuple when there
 * are several. A framework is known by a table of operators (torch.def), helpers in share/emit/ and
 * the constants of struct emit_framework. Shapes and dtypes must have been inferred.
 */
#ifndef EMIT_EMIT_H
#define EMIT_EMIT_H

#include "case/case.h"

enum emit_weights {
    EMIT_WEIGHTS_INLINE, /* all of them in the source */
    EMIT_WEIGHTS_BESIDE  /* large ones in program.weights, by name, as a dict `weights` */
};

/* ERR_UNSUPPORTED names the operator, dtype or attribute that the framework's table lacks. Results
 * live in the arena and may refer to the model's weights. */
bool emit_program(const struct model *m, struct str framework, enum emit_weights where,
                  struct arena *a, struct program *out, struct err *e);

/* An expression of the framework for a tensor. ERR_UNSUPPORTED: it lacks the dtype. */
bool emit_tensor(struct str framework, const struct tensor *t, struct strbuf *out, struct err *e);

/* The name of the module with inf and nan: "np". NULL: no such framework. */
const char *emit_module(struct str framework);

/* The frameworks that programs are written for, in a fixed order; NULL after the last. */
const char *emit_framework_name(size_t i);

/* The framework's table as Python to read, not to run: its imports and helpers, then a function for
 * each operator that returns its forms with "_" for what is filled in. False: no such framework. */
bool emit_print_table(struct str framework, struct strbuf *out);

/* Does the framework's table have a row for the operator? */
bool emit_has_operator(struct str framework, struct str op_type);

#endif
