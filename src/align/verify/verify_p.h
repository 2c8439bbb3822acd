/* The state of a running alignment, for the files of this folder. */
#ifndef ALIGN_VERIFY_VERIFY_P_H
#define ALIGN_VERIFY_VERIFY_P_H

#include "align/verify/match.h"
#include "align/verify/verify.h"

/* Outputs of the generic calls of a symbol as digests; 0: none. */
struct behaviour {
    const uint64_t *at;    /* by number of the generic call */
    const uint64_t *typed; /* digests of values and dtypes */
    size_t n, n_ok, n_distinct;
};

/* A side that is installed. */
struct opened {
    struct side *side;
    struct behaviour *behaviours; /* by number of the symbol, once its generic calls have run */
    struct runs *runs;
    struct runs *witnesses[4]; /* side->also, those that are installed */
    size_t n_witnesses;
    const struct target_installation *installation;
};

/* A symbol of side A that is paired, with its calls that returned. */
struct subject {
    const struct symbol *symbol;
    struct call_list calls, fewer; /* fewer: for sides with expensive calls */
    size_t n_args;                 /* most positional arguments of a call */
    struct text_array names;       /* all public names with the same outputs */
};

struct alignment {
    const struct verify_options *o;
    struct arena *a;
    struct sides sides;
    struct book book;
    struct opened *opened;   /* by number of the side; runs NULL: not installed */
    struct call *bare;       /* "; x" for each generic call: a class made without arguments */
    struct pair_files known; /* that are compiled in: calls on which they agree are good ones */
    VEC(struct subject) subjects; /* of the first side of the pairs that are being made */
};

/* Is it one library in two ways? Then only symbols of the same name are paired, as they stand. */
static inline bool verify__is_same_library(const struct opened *a, const struct opened *b)
{
    return str_eq(b->side->of, a->side->name);
}

struct match_list {
    VEC(struct match) list;
};

/* Functions that are called in the same place of two frameworks' programs. */
struct site {
    const struct symbol *a, *b;
};

struct site_list {
    VEC(struct site) list;
};

/* verify_subjects.c */
/* n_generic: how many of the generic calls; with_samples: only for the first side. proposed: of a
 * slow side only symbols among them run; NULL: all do. */
void verify__want_symbols(struct alignment *t, struct opened *x, size_t n_generic,
                          bool with_samples, const struct match_list *proposed);
void verify__behaviours(struct alignment *t, struct opened *x, size_t n_generic);
/* all: every symbol that returns; else one for each operator. */
void verify__subjects(struct alignment *t, struct opened *x, bool all);

/* verify_pivot.c */
bool verify__sites(struct alignment *t, const struct opened *a, const struct opened *b,
                   struct site_list *out, struct err *e);

/* verify_propose.c: pairs of subjects and symbols of the other side: by what is known before the
 * latter run, then by what they do. */
bool verify__propose(struct alignment *t, const struct opened *a, const struct opened *b,
                     struct match_list *out, struct err *e);
void verify__propose_alike(struct alignment *t, const struct opened *a, const struct opened *b,
                           struct match_list *out);

/* verify_rivals.c: symbols of either side that behave almost like the paired one. */
void verify__rivals(struct alignment *t, const struct opened *a, const struct opened *b,
                    struct match *m);

/* verify_write.c */
void verify__put_pairs(const struct alignment *t, const struct opened *a, const struct opened *b,
                       const struct match_list *list, struct verify_counts *counts,
                       struct strbuf *out);

/* "torch.Tensor.add_" */
bool verify__is_in_place(const struct symbol *s);
const struct subject *verify__subject(const struct alignment *t, const struct symbol *s);

#endif
