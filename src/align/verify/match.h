/*
 * A pair in the making: two symbols, adapters that may join them, and what their stored outputs
 * say.
 *
 * Status: *equal* and *equal-with-adapter* need ten common calls of three kinds of input, nine of
 * ten equal among the calls that did not choose the adapter, five distinct outputs, and every rival
 * told apart; *mixed*: at least half are equal; *rejected*: fewer; *unverified*: too little is
 * known. A call is common when both sides return; even calls choose the adapter, odd ones judge it.
 * Calls on NaN, infinities and edges are counted apart: there frameworks differ as documented; they
 * tell rivals apart.
 */
#ifndef ALIGN_VERIFY_MATCH_H
#define ALIGN_VERIFY_MATCH_H

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

enum match_source { MATCH_BY_NAME, MATCH_BY_TABLE, MATCH_BY_BEHAVIOUR, MATCH_BY_TEXT };

struct differing { /* a common call whose outputs differ */
    const struct call *call;
    enum agreement how;
};

struct rival {
    const struct symbol *symbol;
    bool of_a;
    const struct call *told_apart_by; /* NULL: by none */
    bool is_alias;
};

struct match {
    const struct symbol *a, *b;
    enum match_source source;
    bool is_slow; /* judged on fewer calls */
    struct candidate_list candidates;
    const struct adapter *adapter; /* the chosen one */
    long score;                    /* what the probes gave for it */
    bool is_settled;               /* it gave the same on most probes */
    enum match_status status;
    struct str reason; /* of what is not equal */
    struct {
        size_t n_calls, n_mapped, common, equal, special, special_equal, held, held_equal,
            plain_equal, plain_common, kinds, distinct, dtype_only, a_only, b_only;
    } counts;
    VEC(struct differing) differs;
    VEC(const struct call *) equals; /* calls that gave the same */
    VEC(struct rival) rivals;
    struct str dtype_a, dtype_b; /* of equal outputs whose dtypes differ */
    VEC(struct str) witnesses;   /* "keras-numpy 34 of 34" */
};

struct call_list {
    VEC(const struct call *) list;
};

/* Asks for what tells the candidates apart: a few even calls of each. First the likely candidates;
 * rest: the others, where none of those gave the same on most probes. */
void match_want_probes(struct match *m, const struct call_list *calls, bool rest, struct runs *b,
                       struct arena *a);
/* Chooses the adapter by what the probes gave. */
void match_choose(struct match *m, const struct call_list *calls, bool rest, const struct runs *ra,
                  const struct runs *rb, struct arena *a);
/* Asks for all calls through the chosen adapter. */
void match_want_all(struct match *m, const struct call_list *calls, struct runs *b,
                    struct arena *a);
void match_judge(struct match *m, const struct call_list *calls, const struct runs *ra,
                 const struct runs *rb, struct arena *a);

const char *match_status_name(enum match_status s);
const char *match_source_name(enum match_source s);

#endif
