/*
 * The sides of an alignment. A side is a framework, how it is opened, and which of its public
 * symbols take part. The choice is data (share/align/sides.json); the symbols come from the
 * installed framework (py/assay_worker/records.py).
 *
 *     struct sides all;
 *     if (!sides_load(arena, &all, e)) ...                       // the table
 *     if (!side_read_records(&all.at[0], text, arena, e)) ...    // its symbols
 */
#ifndef ALIGN_VERIFY_SIDES_H
#define ALIGN_VERIFY_SIDES_H

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"

struct text_array {
    const struct str *at;
    size_t n;
};

struct symbol {
    struct str name;         /* by which it is called: "torch.nn.functional.pad" */
    struct text_array names; /* all public names of the same object */
    struct str op;           /* "pad" */
    bool is_class;
    struct str summary;           /* first paragraph of its document */
    struct text_array parameters; /* names, in order; empty: unknown */
    struct text_array *overloads; /* parameter names of each of the framework's own schemas */
    size_t n_overloads;
};

struct side {
    struct str name, engine, opens, records;
    struct str of; /* the side that is the same library in another way: Keras on another backend;
                      "": none */
    struct text_array also; /* other ways to open it, for witnesses: Keras's other backends */
    struct text_array use, classes, leave, keep;
    /* A library on several backends: its packaged files BACKEND_FOLDER/SIDE/FILE hold the bodies of
     * its public functions below backend_of ("keras.ops."), as written for a side. */
    struct str backend_folder, backend_of;
    struct text_array backend_files;
    struct text_array only; /* patterns of public names; n 0: all that take part */
    bool is_slow; /* calls are expensive: only symbols with a likely partner run, on fewer calls */
    struct str version;
    VEC(struct symbol) symbols;
    struct map by_name; /* every public name -> symbol */
};

struct side_pair {
    size_t a, b;
};

struct sides {
    struct side *at;
    size_t n;
    VEC(struct side_pair) pairs;
};

bool sides_load(struct arena *a, struct sides *out, struct err *e);
struct side *sides_find(const struct sides *s, struct str name); /* NULL: unknown */
bool side_read_records(struct side *s, struct str lines, struct arena *a, struct err *e);
struct str side_short_name(struct str name, struct arena *a); /* "tf.abs" of "tensorflow.abs" */
const struct symbol *side_symbol(const struct side *s, struct str name); /* NULL: unknown */

#endif
