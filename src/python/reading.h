/*
 * struct reader: the state for reading programs that is kept between them: the parser, qualified
 * names, the table of the framework. struct reading: one program that was read.
 *
 *     struct reader reader;
 *     if (!reader_open(&reader, "torch", e)) ...
 *     struct reading r;
 *     if (reading_make(&reader, text, arena, &r)) ... r.parts, r.tree.damage.n
 *     reader_close(&reader);
 */
#ifndef PYTHON_READING_H
#define PYTHON_READING_H

#include "python/decompose.h"

struct reader {
    struct arena arena;
    struct py_parser *parser;
    struct paths *paths;
    size_t n_words, n_paths; /* those of the table, which are kept between texts */
    struct framework_table table;
};

struct reading {
    struct source source;
    struct tree tree;
    struct names names;
    struct program_parts parts;
};

/* ERR_USAGE: there is no table of that framework. */
bool reader_open(struct reader *r, const char *framework, struct err *e);
void reader_close(struct reader *r);

/* false: the text is too large. Invalidates what this reader read before. */
bool reading_make(struct reader *r, struct str text, struct arena *a, struct reading *out);

#endif
