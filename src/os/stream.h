/*
 * Descriptors for messages between processes: pairs of connected sockets, whole reads and writes,
 * and a buffered stream on the loop. It does not know what the bytes mean.
 *
 *     int ends[2];
 *     if (!stream_pair(ends, e)) ...                    // both close-on-exec
 *     struct stream *s;
 *     stream_open(loop, ends[0], on_bytes, on_close, ctx, &s, e);   // takes the descriptor
 *     stream_send(s, bytes, n);                         // queued; never blocks
 */
#ifndef OS_STREAM_H
#define OS_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "os/loop.h"

bool stream_pair(int ends[2], struct err *e); /* SOCK_STREAM, AF_UNIX */
void stream_close_fd(int fd);                 /* -1 is fine */

/* Read or write all n bytes, blocking. false with ERR_NONE: the other end closed before the first
 * byte. */
bool stream_read_full(int fd, void *to, size_t n, struct err *e);
bool stream_write_full(int fd, const void *from, size_t n, struct err *e);

struct stream;

/* Gets the bytes received so far and returns how many it has used. It may close the stream; then it
 * returns 0. */
typedef size_t (*stream_bytes_fn)(void *ctx, struct str bytes);
typedef void (*stream_close_fn)(void *ctx); /* the other end closed or failed; once */

bool stream_open(struct loop *loop, int fd, stream_bytes_fn on_bytes, stream_close_fn on_close,
                 void *ctx, struct stream **out, struct err *e);
void stream_close(struct stream *s); /* closes the descriptor; NULL is allowed */
/* Delivers what has arrived already; called when the other end is known to be gone. */
void stream_drain(struct stream *s);
void stream_send(struct stream *s, const void *bytes, size_t n);
size_t stream_n_unsent(const struct stream *s);

#endif
