/*
 * What the replies of a language model to one question say together. A reply is a vote if it is of
 * the schema and its quote stands in the document; votes are equal if all is but the quote and the
 * self-given score; the prediction is that of the largest group, and its confidence the share of
 * this group in all replies, usable or not. Source: ATOC, section III.C.3.
 *
 *     struct vote votes[5];
 *     for (i...) vote_read(words, &replies[i], document, arena, &votes[i]);
 *     struct counted_votes v;
 *     votes_count(votes, 5, true, &v);                   // v.says.is_given false: no vote
 */
#ifndef GENERATE_FORETELL_VOTES_H
#define GENERATE_FORETELL_VOTES_H

#include "generate/foretell/predict.h"
#include "llm/llm.h"

enum reply_status {
#define REPLY(id, name) REPLY_##id,
#include "generate/foretell/reply_status.def"
#undef REPLY
    REPLY_STATUS_COUNT
};

const char *reply_status_name(enum reply_status s);

struct vote {
    enum reply_status status;
    struct prediction says; /* given where status is USABLE or NO_QUOTE */
    struct str exception;   /* "none": none is raised */
    double score;           /* self-given, 0 to 1 */
};

/* words: share/prompts/foretell.json, whose schema lists what may be answered. reply NULL: none
 * came. Texts of *out live in the arena. */
void vote_read(const struct json *words, const struct llm_reply *reply, struct str document,
               struct arena *a, struct vote *out);

/* Does the quote stand in the document, whatever the white space? A few characters, as "tensor",
 * are no quote. */
bool quote_stands(struct str quote, struct str document);

struct counted_votes {
    struct prediction says; /* not given: no vote */
    struct str exception;
    double confidence; /* share of the largest group; of two as large, that of the earlier vote */
    double score;      /* mean self-given score of the group */
};

/* with_quote: a reply without a quote from the document is no vote. */
void votes_count(const struct vote *at, size_t n, bool with_quote, struct counted_votes *out);

#endif
