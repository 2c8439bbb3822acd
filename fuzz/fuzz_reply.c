/* Bytes as a language model's reply to a question about a changed call: it is a prediction within
 * its limits or none, and alone it counts as itself. */
#include <stdint.h>
#include <stdlib.h>

#include "generate/foretell/ask.h"
#include "generate/foretell/votes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const struct llm_reply reply = {.text = {(const char *)data, n}, .stop = STR("stop")};
    const struct json *words;
    struct counted_votes alone;
    struct vote v;
    struct arena a;
    struct err e;
    arena_init(&a);
    if (!ask_words(&a, &words, &e))
        abort();
    vote_read(words, &reply, reply.text, &a, &v);
    votes_count(&v, 1, false, &alone);
    if (v.says.n_leaves > CALL_LEAVES_MAX || !(v.score >= 0 && v.score <= 1) ||
        alone.says.is_given != v.says.is_given || alone.confidence != (v.says.is_given ? 1 : 0))
        abort();
    arena_done(&a);
    return 0;
}
