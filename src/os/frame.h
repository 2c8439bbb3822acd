/*
 * Frames between assay's processes: u32le length of the body | u8 kind | u8 0 | u16 0 | u32le seq |
 * body (JSON). Each pair of processes has its own kinds: pool and workers (target/protocol.def),
 * coordinator and pilots (hunt/messages.def). A kind is above 0 and below n_kinds.
 *
 *     struct frame f;
 *     size_t used;
 *     switch (frame_decode(bytes, n_kinds, &f, &used, e)) {
 *     case FRAME_WHOLE: ...   // f.body points into bytes; the next frame begins at used
 *     case FRAME_PART: ...    // more bytes are needed
 *     case FRAME_BAD: ...     // e says why; the peer can no longer be trusted
 *     }
 *
 * Lengths are checked before anything is allocated or waited for.
 */
#ifndef OS_FRAME_H
#define OS_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

enum { FRAME_HEADER_SIZE = 12, FRAME_BODY_MAX = 1 << 20 };

struct frame {
    unsigned kind;
    uint32_t seq;
    struct str body;
};

enum frame_state { FRAME_PART, FRAME_WHOLE, FRAME_BAD };

enum frame_state frame_decode(struct str bytes, unsigned n_kinds, struct frame *out, size_t *used,
                              struct err *e);

/* Writes the header of a frame with a body of n bytes. ERR_LIMIT: the body is too long. */
bool frame_put_header(unsigned kind, uint32_t seq, size_t n, char header[FRAME_HEADER_SIZE],
                      struct err *e);
/* Adds a frame to the buffer. */
bool frame_encode(unsigned kind, uint32_t seq, struct str body, struct strbuf *to, struct err *e);

/* Read and write a whole frame, blocking. false with ERR_NONE: the other end has closed. */
bool frame_read(int fd, unsigned n_kinds, struct arena *a, struct frame *out, struct err *e);
bool frame_write(int fd, unsigned kind, uint32_t seq, struct str body, struct err *e);

#endif
