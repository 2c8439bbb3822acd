/* What the readers of models, tensors and functions share: names, and memory for protobuf-c. */
#include "onnx/read_p.h"

static void *arena_allocate(void *a, size_t n)
{
    return arena_alloc(a, n);
}

static void arena_ignore(void *a, void *p)
{
    (void)a;
    (void)p;
}

ProtobufCAllocator read__allocator(struct arena *a)
{
    return (ProtobufCAllocator){arena_allocate, arena_ignore, a};
}

/* Length of the UTF-8 sequence at s; 0: it is not well-formed by table 3-7 of the Unicode standard.
 */
static size_t utf8_length(const unsigned char *s, size_t n)
{
    static const struct {
        unsigned char first, last, low, high;
        size_t n;
    } rows[] = {
        {0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (s[0] < rows[i].first || s[0] > rows[i].last)
            continue;
        if (rows[i].n > n || (rows[i].n > 1 && (s[1] < rows[i].low || s[1] > rows[i].high)))
            return 0;
        for (size_t j = 2; j < rows[i].n; j++)
            if ((s[j] & 0xc0) != 0x80)
                return 0;
        return rows[i].n;
    }
    return 0;
}

bool read__name(ProtobufCBinaryData bytes, const char *what, struct str *out, struct err *e)
{
    *out = (struct str){bytes.len ? (const char *)bytes.data : "", bytes.len};
    for (size_t at = 0, n; at < bytes.len; at += n) {
        n = utf8_length(bytes.data + at, bytes.len - at);
        if (!n)
            return err_set(e, ERR_DATA, "%s: byte %zu is NUL or no UTF-8", what, at);
    }
    return true;
}
