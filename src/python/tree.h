/*
 * struct tree: one file's syntax as flat nodes in preorder, made by a single walk of the parser's
 * tree, which is then freed. struct py_parser: what is kept between files (the grammar's tables,
 * interned words).
 *
 *     struct py_parser *parser;
 *     if (!py_parser_open(&parser, e)) ...                            // once per process
 *     struct tree tree;
 *     if (!tree_read(parser, &src, arena, &tree, e)) ...  // ERR_LIMIT: a budget is exhausted
 *     for (uint32_t c = tree_first(&tree, n); c; c = tree_next(&tree, c)) ...
 *     struct node_list calls = tree_list(&tree, PY_CALL); // all calls, in source order
 *     py_parser_close(parser);
 *
 * Node 0 is the module. The subtree of node n is the index range [n, nodes[n].next); a node's first
 * child is n + 1 when n + 1 < nodes[n].next. Children are in source order. Punctuation, comments
 * and the text inside strings are no nodes; an operator is a number in its node; comments are
 * listed separately. An identifier has a word: an id of the parser's interned words, the same in
 * all files read with this parser. Every input gives a tree: damaged parts (ERROR and MISSING
 * nodes) are in `damage`, and what could be parsed around them is in the nodes. Strings have their
 * interpolations as children. A tree lives in the given arena and borrows the source.
 */
#ifndef PYTHON_TREE_H
#define PYTHON_TREE_H

#include "base/map.h"
#include "python/source.h"

enum py_kind {
#define NODE(name, grammar, is_expression, is_statement) PY_##name,
#include "python/node.def"
#undef NODE
    N_PY_KINDS
};

enum py_field {
    FIELD_NONE,
#define FIELD(name, grammar) FIELD_##name,
#include "python/field.def"
#undef FIELD
    N_PY_FIELDS
};

enum py_op {
#define OPERATOR(name, text) PY_OP_##name,
#include "python/operator.def"
#undef OPERATOR
    N_PY_OPS
};

enum py_flag {
    PY_FLAG_ASYNC = 1,      /* async def, for, with */
    PY_FLAG_FROM = 2,       /* yield from; except* */
    PY_FLAG_IN_DAMAGE = 4,  /* is an ERROR, or a child of one */
    PY_FLAG_HAS_DAMAGE = 8, /* has an ERROR or MISSING node below it */
};

enum { WORD_NONE = UINT32_MAX };

struct tree_node {
    uint32_t start, end; /* bytes of the source's text */
    uint32_t parent;     /* of node 0: 0 */
    uint32_t next;       /* index after the subtree */
    uint32_t word;       /* identifiers: interned name; else WORD_NONE */
    uint8_t kind;        /* enum py_kind */
    uint8_t field;       /* enum py_field: role in the parent */
    uint8_t op;          /* enum py_op */
    uint8_t flags;       /* enum py_flag */
};

struct node_list {
    const uint32_t *at; /* node indices in source order */
    size_t n;
};

struct tree {
    const struct source *source;
    struct py_parser *parser;
    struct arena *arena;
    struct tree_node *nodes;
    uint32_t n_nodes;
    struct span_list comments;
    struct span_list damage; /* outermost ERROR, and MISSING as empty ranges, in order */
    struct node_list by_kind[N_PY_KINDS]; /* of the kinds that py_is_listed names, else empty */
    uint64_t n_steps;                     /* of the parser */
};

struct py_parser;

bool py_parser_open(struct py_parser **out, struct err *e);
void py_parser_close(struct py_parser *p); /* NULL is allowed */

/* The id of a word in this parser; a rule set looks its words up once. Ids stay valid until
 * py_parser_trim. */
uint32_t py_parser_word(struct py_parser *p, struct str text);
uint32_t py_parser_find_word(const struct py_parser *p,
                             struct str text); /* WORD_NONE when never seen */
struct str py_parser_text(const struct py_parser *p, uint32_t word);

/* py_parser_trim forgets words beyond the first n_kept when more than max are held: called between
 * files, so that memory stays bounded. Earlier trees and names are then invalid. Ids below n_kept
 * stay. */
size_t py_parser_word_count(const struct py_parser *p);
uint32_t py_parser_epoch(const struct py_parser *p); /* changes when words are forgotten */
void py_parser_trim(struct py_parser *p, size_t n_kept, size_t max);

/* Parses; where damage is found, normalises the source once and parses again, and keeps the tree
 * with less damage. False only when a budget of source->limits is exhausted (ERR_LIMIT). */
bool tree_read(struct py_parser *p, struct source *s, struct arena *a, struct tree *out,
               struct err *e);

static inline const struct tree_node *tree_node(const struct tree *t, uint32_t n)
{
    return &t->nodes[n];
}

static inline enum py_kind tree_kind(const struct tree *t, uint32_t n)
{
    return (enum py_kind)t->nodes[n].kind;
}

/* First child, next sibling; 0: none. */
static inline uint32_t tree_first(const struct tree *t, uint32_t n)
{
    return n + 1 < t->nodes[n].next ? n + 1 : 0;
}

static inline uint32_t tree_next(const struct tree *t, uint32_t n)
{
    uint32_t next = t->nodes[n].next;
    return n && next < t->nodes[t->nodes[n].parent].next ? next : 0;
}

/* Is n in the subtree of `above`, or that node itself? */
static inline bool tree_is_in(const struct tree *t, uint32_t n, uint32_t above)
{
    return n >= above && n < t->nodes[above].next;
}

uint32_t tree_child(const struct tree *t, uint32_t n, enum py_field field);    /* 0: none */
uint32_t tree_child_kind(const struct tree *t, uint32_t n, enum py_kind kind); /* 0: none */
uint32_t tree_child_at(const struct tree *t, uint32_t n, uint32_t at);         /* 0: none */
uint32_t tree_child_count(const struct tree *t, uint32_t n);
uint32_t tree_up(const struct tree *t, uint32_t n,
                 enum py_kind kind); /* nearest above n of that kind; 0 */
uint32_t tree_statement(const struct tree *t,
                        uint32_t n); /* the statement that holds n, or n itself; 0 none */
uint32_t tree_function(const struct tree *t,
                       uint32_t n); /* innermost function, lambda or class body; 0: module */
uint32_t tree_bare(const struct tree *t, uint32_t n);    /* n without parentheses around it */
uint32_t tree_at(const struct tree *t, uint32_t offset); /* the smallest node that holds the byte */
struct span tree_span(const struct tree *t, uint32_t n);
struct str tree_text(const struct tree *t, uint32_t n);
struct node_list tree_list(const struct tree *t, enum py_kind kind);

/* A call's arguments; `at` counts positional ones from 0. 0: absent. *unknown (may be NULL): might
 * a splat before it, or a **, supply it? */
uint32_t tree_argument(const struct tree *t, uint32_t call, unsigned at, bool *unknown);
uint32_t tree_keyword(const struct tree *t, uint32_t call, uint32_t word, bool *unknown);
uint32_t tree_argument_count(const struct tree *t, uint32_t call,
                             bool *unknown); /* positional ones */

/* A string literal's bytes between its quotes, escapes untouched; false for f-strings with parts
 * and for joined literals. */
bool tree_string_value(const struct tree *t, uint32_t n, struct str *out);

/* Values of literals; false when n is something else. -1 is read too. */
bool tree_integer_value(const struct tree *t, uint32_t n, int64_t *out);
bool tree_number_value(const struct tree *t, uint32_t n, double *out);
bool tree_bool_value(const struct tree *t, uint32_t n, bool *out);

const char *py_kind_name(enum py_kind kind);    /* the grammar's */
const char *py_field_name(enum py_field field); /* the grammar's; "" for none */
const char *py_op_text(enum py_op op);
bool py_is_expression(enum py_kind kind);
bool py_is_statement(enum py_kind kind);
bool py_is_listed(enum py_kind kind);

/* Prints "kind field [start, end) text" per line, indented by depth: for people and tests. */
void tree_dump(const struct tree *t, struct strbuf *out);

#endif
