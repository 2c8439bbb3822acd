/*
 * Translates programs of one framework to another, by tables and verified pairs, without a language
 * model. A program with a part that has no counterpart is screened out for that reason, never half
 * translated.
 *
 *     struct translator t;
 *     if (!translator_open("keras", arena, &t, e) || !reader_open(&reader, t.source, e)) ...
 *     struct translation made;
 *     translate(&t, &reader, text, arena, &made);
 *     if (made.text.n) ... else made.reason
 *
 * A call whose symbol has a verified pair becomes the paired call through the pair's adapter;
 * everything else (creation of tensors, optimisers, dtypes, module classes) has rows in
 * share/transfer/TARGET.json, which also names the source, or in sources/SOURCE.json there, which
 * all targets of the source share. Helpers for layouts, lists and permutations are put in front of
 * the program.
 */
#ifndef GENERATE_TRANSFER_TRANSLATE_H
#define GENERATE_TRANSFER_TRANSLATE_H

#include "align/pairs.h"
#include "base/vec.h"
#include "python/reading.h"

/* Parts of the method that can be left out, to measure what each is worth. */
struct translate_without {
    bool alignment;   /* a call is paired only with a symbol of the same name */
    bool screening;   /* what has no counterpart stays as it is written in the source */
    bool distinction; /* arguments stay as they are: no adapter, no row's arguments */
};

struct translator {
    const char *source; /* the framework whose programs are read: "torch" (share/decompose/) */
    struct str target;  /* side of the pairs: "keras" */
    struct translate_without without;
    const struct json *table, *shared; /* shared: rows of all targets of the source; NULL: none */
    struct str prelude; /* helpers of the table's rows, in Python: its "prelude" files */
    struct pair_files pairs;
};

struct translation {
    struct str text;         /* empty: not translated */
    struct str reason;       /* why not: "no pair: torch.nn.functional.grid_sample" */
    VEC(struct str) reasons; /* all of them, in order of the program */
    size_t n_calls;          /* calls of the source framework */
    size_t n_paired;         /* how many of them by a pair, not by a row of the table */
};

bool translator_open(const char *target, struct arena *a, struct translator *out, struct err *e);
void translate(const struct translator *t, struct reader *reader, struct str text, struct arena *a,
               struct translation *out);

#endif
