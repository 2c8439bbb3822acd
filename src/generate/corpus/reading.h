/*
 * struct reader: what reading programs takes, kept between them: the parser, qualified names, the
 * table of the framework. struct reading: one text read.
 *
 *     struct reader reader;
 *     if (!reader_open(&reader, "torch", e)) ...
 *     struct reading r;
 *     if (reading_make(&reader, text, arena, &r)) ... r.parts, r.tree.damage.n
 *     reader_close(&reader);
 */
#ifndef GENERATE_CORPUS_READING_H
#define GENERATE_CORPUS_READING_H

#include "python/decompose.h"

struct reader {
    struct arena arena;
    struct py_parser *parser;
    struct paths *paths;
    size_t n_words, n_paths; /* of the table: kept between texts */
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

/* false: too large. What was read before with this reader is invalid then. */
bool reading_make(struct reader *r, struct str text, struct arena *a, struct reading *out);

/*
 * Makes a program run on this machine and this version where little is missing: devices become the
 * CPU, calls that move to one go, conventional imports are put in front. The text as it is where
 * nothing is to repair.
 */
struct str program_repair(struct reader *r, struct str text, struct arena *a);

#endif
