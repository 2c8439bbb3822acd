/* Bytes as JSON: refused with a message, or a tree that writes out to text which reads back as the
 * same text. */
#include "base/json.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* Depth of a tree, counted up to room levels, since the writer has a limit too. */
static size_t depth_of(const struct json *j, size_t room)
{
    size_t most = 0;
    for (size_t i = 0; room && i < j->n; i++) {
        size_t below = depth_of(&j->items[i], room - 1);
        most = below > most ? below : most;
    }
    return most + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena a;
    struct err e = {0};
    const struct json *first, *second;
    arena_init(&a);
    if (!json_parse((struct str){(const char *)data, n}, "input", &a, &first, &e)) {
        if (!e.text[0])
            abort(); /* a refusal says why */
    } else if (depth_of(first, JSON_OUT_DEPTH_MAX) < JSON_OUT_DEPTH_MAX) {
        struct strbuf once = {0}, twice = {0};
        struct json_out w = json_open(&once, JSON_COMPACT);
        json_put_json(&w, first);
        if (!json_parse(strbuf_str(&once), "again", &a, &second, &e))
            abort();
        w = json_open(&twice, JSON_COMPACT);
        json_put_json(&w, second);
        if (!str_eq(strbuf_str(&once), strbuf_str(&twice)))
            abort();
        strbuf_done(&once);
        strbuf_done(&twice);
    }
    arena_done(&a);
    return 0;
}
