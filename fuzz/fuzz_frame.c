/*
 * The frame decoder on any bytes: decodes frames while whole ones are there. A frame must lie
 * inside the bytes, and encoding it again must give the same bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "target/protocol.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_same(const struct frame *f, struct str bytes)
{
    struct strbuf again = {0};
    struct err e;
    if (!frame_encode(f->kind, f->seq, f->body, &again, &e) || !str_eq(strbuf_str(&again), bytes))
        abort();
    strbuf_done(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = {(const char *)data, size};
    for (;;) {
        struct frame f;
        struct err e;
        size_t used = 0;
        if (frame_decode(rest, FRAME_KIND_COUNT, &f, &used, &e) != FRAME_WHOLE)
            return 0;
        if (used < FRAME_HEADER_SIZE || used > rest.n || f.body.at < rest.at ||
            f.body.at + f.body.n > rest.at + rest.n)
            abort();
        check_same(&f, str_sub(rest, 0, used));
        rest = str_sub(rest, used, rest.n);
    }
}
