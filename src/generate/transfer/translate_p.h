/* The state of a translation, for the files of this folder. */
#ifndef GENERATE_TRANSFER_TRANSLATE_P_H
#define GENERATE_TRANSFER_TRANSLATE_P_H

#include "generate/transfer/translate.h"

enum { ARGS_MAX = 32 };

/* Arguments of a call, already translated. */
struct texts {
    struct str positional[ARGS_MAX], names[ARGS_MAX], values[ARGS_MAX];
    size_t n_positional, n_named;
    bool has_splat; /* with "*x" by position or x of the name "**": not all arguments are known */
};

struct translating {
    const struct translator *t;
    struct reader *reader;
    const struct reading *read;
    struct arena *a;
    struct translation *out;
    unsigned depth;
};

/* Keeps the first reason why the program is not translated. Returns an empty text. */
struct str translate__fail(struct translating *w, const char *what, struct str name);
/* Is the dotted name one of the list, or below one? */
bool translate__is_below(const struct translating *w, const char *list, struct str name);
bool translate__is_listed(const struct translating *w, const char *list, struct str name);
/* A row of the target's table, or else of the shared one; empty: there is none. */
struct str translate__row(const struct translating *w, const char *table, struct str name);
/* The qualified name of an expression, if it is one of the source framework's. */
bool translate__framework_name(struct translating *w, uint32_t n, struct str *out);
/* The qualified name of an expression; false: it has none, or is defined in the program. */
bool translate__qualified(const struct reading *read, uint32_t n, struct arena *a, struct str *out);
/* The node translated; only its children translated. */
struct str translate__render(struct translating *w, uint32_t n);
struct str translate__stitch(struct translating *w, uint32_t n);
/* Is the node part of an annotation, or a target that is not read? */
bool translate__is_left_alone(const struct tree *t, uint32_t n);
/* translate_store.c: assignments, elements that are read, and a call that changes `object` in
 * place, `made` being its value. */
struct str translate__assignment(struct translating *w, uint32_t n);
struct str translate__subscript(struct translating *w, uint32_t n);
struct str translate__in_place(struct translating *w, uint32_t call, uint32_t object,
                               struct str made);
/* translate_symbol.c: a call of the source's symbol, and of a method, its object being the first
 * argument. Empty: a reason is given; of a method also that it is unknown. */
struct str translate__symbol(struct translating *w, struct str symbol, const struct texts *args);
struct str translate__method(struct translating *w, struct str name, const struct texts *args);
/* May the symbol become the other one? Without the alignment only if their names are alike. */
bool translate__may_pair(const struct translator *t, struct str from, struct str to);
/* How a file's pairs are used: from their first side to their second, back, or not at all. */
enum direction { DIRECTION_NONE, DIRECTION_ON, DIRECTION_BACK };
enum direction translate__direction(const struct translator *t, const struct pair_file *file);
/* The last name of a dotted one. */
struct str translate__last_name(struct str dotted);
/* A call of the symbol with the arguments as they are. */
struct str translate__unchanged(struct translating *w, struct str symbol, const struct texts *args);
/* The new call by a pair's adapter; empty: the adapter does not apply. */
struct str translate__by_pair(struct translating *w, const struct pair_row *pair,
                              const struct texts *args);
/* As translate__by_pair, but for a call of the pair's second side. */
struct str translate__by_pair_back(struct translating *w, const struct pair_row *pair,
                                   const struct texts *args);
/* The new call by a row of the table, with "$0", "$*", "$shape", "$name|default" filled in. */
struct str translate__by_row(struct translating *w, struct str row, const struct texts *args);

#endif
