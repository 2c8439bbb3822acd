/* Shared by the files that make up struct tree: the walk, and the tables of the grammar's
 * numbers. */
#ifndef PYTHON_TREE_P_H
#define PYTHON_TREE_P_H

#include <tree_sitter/api.h>

#include "base/vec.h"
#include "python/tree.h"

enum symbol_use {
    SYMBOL_SKIP,     /* punctuation, and what is inside strings */
    SYMBOL_NODE,     /* becomes a node and is entered */
    SYMBOL_LEAF,     /* becomes a node; its children do not matter */
    SYMBOL_WORD,     /* an identifier */
    SYMBOL_STRING,   /* its children count only when it is formatted */
    SYMBOL_OPERATOR, /* a number in its parent */
    SYMBOL_FLAG,     /* a flag of its parent */
    SYMBOL_COMMENT,
    SYMBOL_ERROR,
};

struct symbol {
    uint8_t use;  /* enum symbol_use */
    uint8_t what; /* kind, operator or flag */
};

struct parse_memory;

struct py_parser {
    struct parse_memory *memory; /* of the parse at hand */
    struct symbol *symbols;      /* by TSSymbol */
    uint32_t n_symbols;
    uint8_t *fields; /* enum py_field by TSFieldId */
    uint32_t n_fields;
    struct arena tables;
    struct arena words_arena;
    struct intern words;
    uint32_t epoch; /* counts the trims of the words */
    struct {
        VEC(struct tree_node) nodes;
        VEC(struct span) comments, damage;
    } scratch; /* heap, kept between files */
};

/* A parser of the grammar; NULL when the grammar does not fit the library. */
TSParser *parser__new(void);

/* Flattens the parser's tree into p's scratch vectors. */
void tree__walk(struct py_parser *p, struct str text, TSTree *tree);

/* Between begin and end the library takes all its memory from m. The end frees all of it, also what
 * the library did not free. Only one m is in use at a time. */
struct parse_memory *parse_memory__new(void);
void parse_memory__begin(struct parse_memory *m);
void parse_memory__end(struct parse_memory *m);
void parse_memory__free(struct parse_memory *m);

#endif
