/*
 * A possible pair: two symbols, adapters between them, and the verdict of their stored outputs.
 *
 * Status: *equal* and *equal-with-adapter* need ten common calls of three kinds of input, 90 %
 * equal outputs among the calls that did not choose the adapter, five distinct outputs, and every
 * rival distinguished (and all calls equal, where no name proposes the pair); *mixed*: at least
 * half are equal; *rejected*: fewer; *unverified*: too little is known. A call is common when both
 * sides return; even calls choose the adapter, odd ones judge it. Calls on NaN, infinities and
 * extreme floats are counted separately, since frameworks differ on them as documented; but they
 * distinguish rivals.
 */
#ifndef ALIGN_VERIFY_MATCH_H
#define ALIGN_VERIFY_MATCH_H

#include "align/pairs.h"
#include "align/verify/book.h"
#include "align/verify/candidates.h"
#include "align/verify/runs.h"

enum match_status {
    MATCH_EQUAL,
    MATCH_EQUAL_WITH_ADAPTER,
    MATCH_MIXED,
    MATCH_UNVERIFIED,
    MATCH_REJECTED
};

enum match_source {
    MATCH_BY_NAME,
    MATCH_BY_TABLE,     /* share/align/adapters.json */
    MATCH_BY_PIVOT,     /* called in the same place of programs */
    MATCH_BY_TEXT,      /* like descriptions: proposed by it, never accepted for it */
    MATCH_BY_BEHAVIOUR, /* equal outputs of generic calls */
};

struct differing { /* a common call whose outputs differ */
    const struct call *call;
    enum agreement how;
};

struct rival {
    const struct symbol *symbol;
    bool of_a;
    const struct call *told_apart_by; /* NULL: no call does */
    bool is_alias;
};

struct match {
    const struct symbol *a, *b;
    enum match_source source;
    bool is_slow; /* judged on fewer calls */
    struct candidate_list candidates;
    const struct adapter *adapter; /* the chosen one */
    long score;                    /* of its probes */
    bool is_settled;               /* its outputs were equal on most probes */
    enum match_status status;
    struct str reason; /* why it is not equal */
    struct {
        size_t n_calls, n_mapped, common, equal, special, special_equal, held, held_equal,
            plain_equal, plain_common, kinds, distinct, dtype_only, a_only, b_only;
    } counts;
    VEC(struct differing) differs;
    VEC(const struct call *) equals; /* calls with equal outputs */
    VEC(struct str) ranks, dtypes;   /* of their tensors: "2 1", "float32 int64" */
    VEC(struct rival) rivals;
    struct str dtype_a, dtype_b; /* of equal outputs whose dtypes differ */
    VEC(struct str) witnesses;   /* "keras-numpy 34 of 34" */
};

/* Requests the probes, a few even calls through each candidate: first of the likely ones; with
 * `rest` of the others, if none of the likely ones was equal on most probes. */
void match_want_probes(struct match *m, const struct call_list *calls, bool rest, struct runs *b,
                       struct arena *a);
/* Chooses the adapter by the outputs of its probes. */
void match_choose(struct match *m, const struct call_list *calls, bool rest, const struct runs *ra,
                  const struct runs *rb, struct arena *a);
/* Requests all calls through the chosen adapter. */
void match_want_all(struct match *m, const struct call_list *calls, struct runs *b,
                    struct arena *a);
void match_judge(struct match *m, const struct call_list *calls, const struct runs *ra,
                 const struct runs *rb, struct arena *a);

/* Do names, or a person's table, propose it? Others need more evidence. */
bool match_is_named(const struct match *m);
/* Was it proposed by its description only, and no probe gave the same? */
bool match_is_unlike(const struct match *m);

const char *match_status_name(enum match_status s);
const char *match_source_name(enum match_source s);

#endif
