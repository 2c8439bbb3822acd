/* Decides whether bytes are a frame; knows nothing of the bodies' contents. */
#include "os/frame.h"

#include <string.h>

#include "os/stream.h"

static uint32_t get_u32(const char *at)
{
    const unsigned char *b = (const unsigned char *)at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void put_u32(char *at, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        at[i] = (char)(v >> (8 * i));
}

static bool check_header(const char *header, unsigned n_kinds, struct err *e)
{
    uint32_t length = get_u32(header);
    unsigned kind = (unsigned char)header[4];
    if (length > FRAME_BODY_MAX)
        return err_set(e, ERR_DATA, "a frame of %u bytes, at most %d are allowed", length,
                       FRAME_BODY_MAX);
    if (kind == 0 || kind >= n_kinds)
        return err_set(e, ERR_DATA, "no frame has the kind %u", kind);
    if (header[5] || header[6] || header[7])
        return err_set(e, ERR_DATA, "reserved bytes of a frame are not zero");
    return true;
}

enum frame_state frame_decode(struct str bytes, unsigned n_kinds, struct frame *out, size_t *used,
                              struct err *e)
{
    if (bytes.n < FRAME_HEADER_SIZE)
        return FRAME_PART;
    if (!check_header(bytes.at, n_kinds, e))
        return FRAME_BAD;
    size_t n = get_u32(bytes.at);
    if (bytes.n - FRAME_HEADER_SIZE < n)
        return FRAME_PART;
    out->kind = (unsigned char)bytes.at[4];
    out->seq = get_u32(bytes.at + 8);
    out->body = (struct str){bytes.at + FRAME_HEADER_SIZE, n};
    *used = FRAME_HEADER_SIZE + n;
    return FRAME_WHOLE;
}

bool frame_put_header(unsigned kind, uint32_t seq, size_t n, char header[FRAME_HEADER_SIZE],
                      struct err *e)
{
    if (n > FRAME_BODY_MAX)
        return err_set(e, ERR_LIMIT, "a frame of %zu bytes, at most %d are allowed", n,
                       FRAME_BODY_MAX);
    memset(header, 0, FRAME_HEADER_SIZE);
    put_u32(header, (uint32_t)n);
    header[4] = (char)kind;
    put_u32(header + 8, seq);
    return true;
}

bool frame_encode(unsigned kind, uint32_t seq, struct str body, struct strbuf *to, struct err *e)
{
    char header[FRAME_HEADER_SIZE];
    if (!frame_put_header(kind, seq, body.n, header, e))
        return false;
    strbuf_add(to, header, sizeof header);
    strbuf_addstr(to, body);
    return true;
}

bool frame_read(int fd, unsigned n_kinds, struct arena *a, struct frame *out, struct err *e)
{
    char header[FRAME_HEADER_SIZE];
    if (!stream_read_full(fd, header, sizeof header, e))
        return e->code != ERR_NONE && err_wrap(e, "header of a frame");
    if (!check_header(header, n_kinds, e))
        return false;
    size_t n = get_u32(header);
    char *body = arena_alloc(a, n + 1);
    if (n && !stream_read_full(fd, body, n, e))
        return err_set(e, ERR_IO, "a frame is cut short");
    *out = (struct frame){(unsigned char)header[4], get_u32(header + 8), {body, n}};
    return true;
}

bool frame_write(int fd, unsigned kind, uint32_t seq, struct str body, struct err *e)
{
    struct strbuf bytes = {0};
    bool ok =
        frame_encode(kind, seq, body, &bytes, e) && stream_write_full(fd, bytes.at, bytes.n, e);
    strbuf_done(&bytes);
    return ok;
}
