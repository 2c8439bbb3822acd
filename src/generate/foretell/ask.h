/*
 * What a language model is asked about a changed call: the document of its API, as data between
 * marks, the working call with what it gave, and the changed call. Words, limits and the schema of
 * the answer are data (share/prompts/foretell.json).
 *
 *     const struct json *words;
 *     if (!ask_words(arena, &words, e)) ...
 *     ask_make(words, &situation, arena, &made);
 *     made.request.sample = 3;                           // goes to llm_ask
 *     vote_read(words, &reply, made.document, ...);      // votes.h
 *
 * Source: ATOC, section III.C.2. A long document is cut at sentences: those that name the changed
 * argument stay, then the first one, those that state a constraint, and the others.
 */
#ifndef GENERATE_FORETELL_ASK_H
#define GENERATE_FORETELL_ASK_H

#include "generate/foretell/predict.h"
#include "llm/llm.h"

struct ask {
    struct llm_request request; /* sample 0 */
    struct str document;        /* as the model sees it; "": there is none, so nothing to ask */
};

bool ask_words(struct arena *a, const struct json **out, struct err *e);

void ask_make(const struct json *words, const struct situation *s, struct arena *a,
              struct ask *out);

#endif
