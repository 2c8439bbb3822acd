/*
 * Decides when bytes move between a descriptor and its buffers. Must not know frames. Invariant: a
 * watch for writing exists exactly while bytes are unsent; on_close is called once, from the loop.
 */
#include "os/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fault.h"

enum { READ_CHUNK = 1 << 16 };

bool stream_pair(int ends[2], struct err *e)
{
    return (!fault_hit("pipe") && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) ||
           err_errno(e, ERR_IO, "cannot make a pair of sockets");
}

void stream_close_fd(int fd)
{
    if (fd >= 0)
        close(fd);
}

bool stream_read_full(int fd, void *to, size_t n, struct err *e)
{
    size_t done = 0;
    e->code = ERR_NONE;
    while (done < n) {
        ssize_t got = fault_hit("read") ? -1 : read(fd, (char *)to + done, n - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return err_errno(e, ERR_IO, "cannot read descriptor %d", fd);
        if (got == 0)
            return done == 0 ? false
                             : err_set(e, ERR_IO, "descriptor %d: closed after %zu of %zu bytes",
                                       fd, done, n);
        done += (size_t)got;
    }
    return true;
}

bool stream_write_full(int fd, const void *from, size_t n, struct err *e)
{
    for (size_t done = 0; done < n;) {
        ssize_t put =
            fault_hit("send") ? -1 : send(fd, (const char *)from + done, n - done, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return err_errno(e, ERR_IO, "cannot write descriptor %d", fd);
        done += (size_t)put;
    }
    return true;
}

struct stream {
    struct loop *loop;
    int fd;
    stream_bytes_fn on_bytes;
    stream_close_fn on_close;
    void *ctx;
    struct strbuf in, out;
    bool is_closed; /* the other end is gone: nothing is read or sent */
    bool in_callback, must_free;
};

static void on_ready(void *ctx, int fd, unsigned ready);

static void lose_peer(struct stream *s)
{
    if (s->is_closed)
        return;
    s->is_closed = true;
    loop_unwatch(s->loop, s->fd);
    if (s->on_close)
        s->on_close(s->ctx);
}

static void drop_front(struct strbuf *b, size_t n)
{
    memmove(b->at, b->at + n, b->n - n);
    b->n -= n;
}

/* Sends what it can; the rest waits until the descriptor is writable. An error is seen there as a
 * hangup. */
static void send_some(struct stream *s)
{
    size_t done = 0;
    while (done < s->out.n) {
        ssize_t put = fault_hit("send") ? -1
                                        : send(s->fd, s->out.at + done, s->out.n - done,
                                               MSG_NOSIGNAL | MSG_DONTWAIT);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            break;
        done += (size_t)put;
    }
    if (done)
        drop_front(&s->out, done);
}

static void watch_as_needed(struct stream *s)
{
    struct err ignored;
    unsigned interest = LOOP_READ | (s->out.n ? (unsigned)LOOP_WRITE : 0);
    if (!s->is_closed && !loop_watch(s->loop, s->fd, interest, on_ready, s, &ignored))
        err_clear(&ignored);
}

void stream_send(struct stream *s, const void *bytes, size_t n)
{
    if (s->is_closed)
        return;
    bool was_waiting = s->out.n > 0;
    strbuf_add(&s->out, bytes, n);
    if (!was_waiting)
        send_some(s);
    if (was_waiting != (s->out.n > 0))
        watch_as_needed(s);
}

size_t stream_n_unsent(const struct stream *s)
{
    return s->out.n;
}

/* Gives the received bytes to on_bytes. true: the stream still exists. */
static bool give_bytes(struct stream *s)
{
    s->in_callback = true;
    size_t used = s->on_bytes(s->ctx, strbuf_str(&s->in));
    s->in_callback = false;
    if (s->must_free) {
        stream_close(s);
        return false;
    }
    drop_front(&s->in, used);
    return true;
}

/* Receives once. false: nothing more is there, or the stream is gone. */
static bool receive(struct stream *s)
{
    char chunk[READ_CHUNK];
    ssize_t got = fault_hit("recv") ? -1 : recv(s->fd, chunk, sizeof chunk, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return errno == EINTR;
    if (got <= 0) {
        lose_peer(s);
        return false;
    }
    strbuf_add(&s->in, chunk, (size_t)got);
    return give_bytes(s);
}

static void on_ready(void *ctx, int fd, unsigned ready)
{
    struct stream *s = ctx;
    (void)fd;
    if (ready & LOOP_WRITE) {
        send_some(s);
        watch_as_needed(s);
    }
    if (ready & (LOOP_READ | LOOP_HANGUP))
        receive(s);
}

void stream_drain(struct stream *s)
{
    while (!s->is_closed && receive(s)) {
    }
}

bool stream_open(struct loop *loop, int fd, stream_bytes_fn on_bytes, stream_close_fn on_close,
                 void *ctx, struct stream **out, struct err *e)
{
    struct stream *s = mem_alloc(sizeof *s);
    *s = (struct stream){
        .loop = loop, .fd = fd, .on_bytes = on_bytes, .on_close = on_close, .ctx = ctx};
    if (!loop_watch(loop, fd, LOOP_READ, on_ready, s, e)) {
        close(fd);
        free(s);
        return false;
    }
    *out = s;
    return true;
}

void stream_close(struct stream *s)
{
    if (!s)
        return;
    if (!s->is_closed)
        loop_unwatch(s->loop, s->fd);
    s->is_closed = true;
    if (s->in_callback) {
        s->must_free = true;
        return;
    }
    close(s->fd);
    strbuf_done(&s->in);
    strbuf_done(&s->out);
    free(s);
}
