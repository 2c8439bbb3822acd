/*
 * Frames of the worker protocol: u32le length of the body | u8 kind | u8 0 | u16 0 | u32le seq |
 * body (JSON). The kinds stand in protocol.def.
 *
 *     struct frame f;
 *     size_t used;
 *     switch (frame_decode(bytes, &f, &used, e)) {
 *     case FRAME_WHOLE: ... f.body points into bytes; the next frame begins at used
 *     case FRAME_PART:  more bytes are needed
 *     case FRAME_BAD:   e says why; the peer cannot be trusted any more
 *     }
 *
 * Lengths are checked before anything is allocated or waited for.
 */
#ifndef TARGET_FRAME_H
#define TARGET_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

enum { FRAME_HEADER_SIZE = 12, FRAME_BODY_MAX = 1 << 20 };

#define PROTOCOL(number)
#define FIELD(kind, name, type, meaning)
#define KIND(id, number, name, sender, meaning) FRAME_##id = number,
enum frame_kind {
#include "target/protocol.def"
    FRAME_KIND_COUNT
};
#undef PROTOCOL
#undef KIND
#define PROTOCOL(number) enum { PROTOCOL_NUMBER = number };
#define KIND(id, number, name, sender, meaning)
#include "target/protocol.def"
#undef PROTOCOL
#undef FIELD
#undef KIND

struct frame {
    enum frame_kind kind;
    uint32_t seq;
    struct str body;
};

enum frame_state { FRAME_PART, FRAME_WHOLE, FRAME_BAD };

const char *frame_kind_name(enum frame_kind kind);

enum frame_state frame_decode(struct str bytes, struct frame *out, size_t *used, struct err *e);

/* Adds a frame to the buffer. ERR_LIMIT: the body is too long. */
bool frame_encode(enum frame_kind kind, uint32_t seq, struct str body, struct strbuf *to,
                  struct err *e);

/* Blocking, for workers. false with ERR_NONE: the other end has closed. */
bool frame_read(int fd, struct arena *a, struct frame *out, struct err *e);
bool frame_write(int fd, enum frame_kind kind, uint32_t seq, struct str body, struct err *e);

#endif
