/* Messages over sockets: whole reads, partial use of bytes, back pressure, loss of the peer. */
#include "os/stream.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit/test.h"

struct scene {
    struct loop *loop;
    struct stream *stream;
    size_t n_bytes, n_closed, quantum;
    bool close_on_bytes;
};

static size_t take(void *ctx, struct str bytes)
{
    struct scene *s = ctx;
    size_t used = bytes.n - bytes.n % s->quantum;
    s->n_bytes += used;
    if (s->close_on_bytes) {
        stream_close(s->stream);
        s->stream = NULL;
        return 0;
    }
    return used;
}

static void closed(void *ctx)
{
    ((struct scene *)ctx)->n_closed++;
}

static void bytes_wait_until_they_can_be_used(void **state)
{
    struct scene s = {.quantum = 10};
    struct err e;
    int ends[2];
    (void)state;
    assert_true(loop_open(&s.loop, &e) && stream_pair(ends, &e));
    assert_true(stream_open(s.loop, ends[0], take, closed, &s, &s.stream, &e));
    assert_true(stream_write_full(ends[1], "0123456", 7, &e));
    assert_true(loop_turn(s.loop, LOOP_SECOND, &e));
    assert_int_equal(s.n_bytes, 0);
    assert_true(stream_write_full(ends[1], "789abc", 6, &e));
    assert_true(loop_turn(s.loop, LOOP_SECOND, &e));
    assert_int_equal(s.n_bytes, 10);
    close(ends[1]);
    assert_true(loop_run(s.loop, &e));
    assert_int_equal(s.n_closed, 1);
    stream_close(s.stream);
    loop_close(s.loop);
}

static void a_stream_may_be_closed_by_its_callback(void **state)
{
    struct scene s = {.quantum = 1, .close_on_bytes = true};
    struct err e;
    int ends[2];
    (void)state;
    assert_true(loop_open(&s.loop, &e) && stream_pair(ends, &e));
    assert_true(stream_open(s.loop, ends[0], take, closed, &s, &s.stream, &e));
    assert_true(stream_write_full(ends[1], "x", 1, &e));
    assert_true(loop_run(s.loop, &e));
    assert_int_equal(s.n_closed, 0);
    assert_null(s.stream);
    close(ends[1]);
    loop_close(s.loop);
}

static void last_words_are_delivered_by_a_drain(void **state)
{
    struct scene s = {.quantum = 1};
    struct err e;
    int ends[2];
    (void)state;
    assert_true(loop_open(&s.loop, &e) && stream_pair(ends, &e));
    assert_true(stream_open(s.loop, ends[0], take, closed, &s, &s.stream, &e));
    stream_drain(s.stream);
    assert_true(s.n_bytes == 0 && s.n_closed == 0);
    assert_true(stream_write_full(ends[1], "bye", 3, &e));
    close(ends[1]);
    stream_drain(s.stream);
    assert_true(s.n_bytes == 3 && s.n_closed == 1);
    assert_int_equal(loop_n_watches(s.loop), 0);
    stream_drain(s.stream);
    stream_close(s.stream);
    loop_close(s.loop);
}

static void what_is_sent_waits_for_a_slow_peer(void **state)
{
    enum { N = 4 << 20 };
    struct scene s = {.quantum = 1};
    struct err e;
    int ends[2];
    char *sent = malloc(N), *got = malloc(N);
    (void)state;
    memset(sent, 'z', N);
    assert_true(loop_open(&s.loop, &e) && stream_pair(ends, &e));
    assert_true(stream_open(s.loop, ends[0], take, closed, &s, &s.stream, &e));
    stream_send(s.stream, sent, N);
    assert_true(stream_n_unsent(s.stream) > 0);
    size_t n = 0;
    while (n < N) {
        ssize_t part = read(ends[1], got + n, N - n);
        assert_true(part > 0);
        n += (size_t)part;
        assert_true(loop_turn(s.loop, 0, &e));
    }
    assert_int_equal(stream_n_unsent(s.stream), 0);
    assert_memory_equal(sent, got, N);
    close(ends[1]);
    stream_close(s.stream);
    loop_close(s.loop);
    free(sent);
    free(got);
}

static void whole_reads_tell_an_end_from_a_cut(void **state)
{
    struct err e;
    int ends[2];
    char four[4];
    (void)state;
    assert_true(stream_pair(ends, &e));
    assert_true(stream_write_full(ends[1], "abcdef", 6, &e));
    close(ends[1]);
    assert_true(stream_read_full(ends[0], four, 4, &e));
    assert_false(stream_read_full(ends[0], four, 4, &e));
    assert_int_equal(e.code, ERR_IO);
    assert_false(stream_read_full(ends[0], four, 4, &e));
    assert_int_equal(e.code, ERR_NONE);
    assert_false(stream_write_full(ends[0], "x", 1, &e));
    close(ends[0]);
}

TEST_SUITE(os_stream, TEST(bytes_wait_until_they_can_be_used),
           TEST(a_stream_may_be_closed_by_its_callback), TEST(last_words_are_delivered_by_a_drain),
           TEST(what_is_sent_waits_for_a_slow_peer), TEST(whole_reads_tell_an_end_from_a_cut))
