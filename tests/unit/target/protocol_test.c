/* Frames: what is written is read; whatever else arrives is refused before it costs anything. */
#include "target/protocol.h"

#include <string.h>

#include "os/stream.h"
#include "unit/test.h"

static void what_is_encoded_is_decoded_at_every_cut(void **state)
{
    struct strbuf bytes = {0};
    struct err e;
    (void)state;
    assert_true(frame_encode(FRAME_RUN, 0xdeadbeef, STR("{\"a\":1}"), &bytes, &e));
    assert_true(frame_encode(FRAME_BYE, 1, STR(""), &bytes, &e));
    size_t first = FRAME_HEADER_SIZE + 7;
    for (size_t n = 0; n <= bytes.n; n++) {
        struct frame f;
        size_t used = 0;
        enum frame_state got =
            frame_decode((struct str){bytes.at, n}, FRAME_KIND_COUNT, &f, &used, &e);
        assert_int_equal(got, n < first ? FRAME_PART : FRAME_WHOLE);
        if (got == FRAME_WHOLE) {
            assert_int_equal(used, first);
            assert_int_equal(f.kind, FRAME_RUN);
            assert_true(f.seq == 0xdeadbeef && str_is(f.body, "{\"a\":1}"));
        }
    }
    strbuf_done(&bytes);
}

static void bad_headers_are_refused(void **state)
{
    static const struct {
        const char *name, *message;
        unsigned char header[FRAME_HEADER_SIZE];
    } rows[] = {
        {"huge",
         "a frame of 2147483647 bytes, at most 1048576 are allowed",
         {255, 255, 255, 127, 5}},
        {"one too long", "a frame of 1048577 bytes, at most 1048576 are allowed", {1, 0, 16, 0, 5}},
        {"kind 0", "no frame has the kind 0", {0}},
        {"kind 9", "no frame has the kind 9", {0, 0, 0, 0, 9}},
        {"reserved", "reserved bytes of a frame are not zero", {0, 0, 0, 0, 5, 1}},
        {"reserved too", "reserved bytes of a frame are not zero", {0, 0, 0, 0, 5, 0, 0, 1}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct frame f;
        struct err e;
        size_t used;
        struct str bytes = {(const char *)rows[i].header, FRAME_HEADER_SIZE};
        ASSERT_ROW(frame_decode(bytes, FRAME_KIND_COUNT, &f, &used, &e) == FRAME_BAD, rows[i].name);
        assert_string_equal(e.text, rows[i].message);
    }
}

static void a_body_too_long_is_not_sent(void **state)
{
    struct strbuf body = {0}, bytes = {0};
    struct err e;
    (void)state;
    for (size_t i = 0; i <= FRAME_BODY_MAX; i++)
        strbuf_addc(&body, ' ');
    assert_false(frame_encode(FRAME_RUN, 1, strbuf_str(&body), &bytes, &e));
    assert_int_equal(e.code, ERR_LIMIT);
    assert_int_equal(bytes.n, 0);
    body.n--;
    assert_true(frame_encode(FRAME_RUN, 1, strbuf_str(&body), &bytes, &e));
    strbuf_done(&body);
    strbuf_done(&bytes);
}

static void blocking_ends_talk(void **state)
{
    struct arena a;
    struct frame f;
    struct err e;
    int ends[2];
    (void)state;
    arena_init(&a);
    assert_true(stream_pair(ends, &e));
    assert_true(frame_write(ends[0], FRAME_HELLO, 3, STR("{}"), &e));
    assert_true(frame_read(ends[1], FRAME_KIND_COUNT, &a, &f, &e));
    assert_true(f.kind == FRAME_HELLO && f.seq == 3 && str_is(f.body, "{}"));
    assert_true(stream_write_full(ends[0], "\5\0\0\0\3\0\0\0\0\0\0\0{", 13, &e));
    stream_close_fd(ends[0]);
    assert_false(frame_read(ends[1], FRAME_KIND_COUNT, &a, &f, &e));
    assert_string_equal(e.text, "a frame is cut short");
    assert_false(frame_read(ends[1], FRAME_KIND_COUNT, &a, &f, &e));
    assert_int_equal(e.code, ERR_NONE);
    stream_close_fd(ends[1]);
    arena_done(&a);
}

TEST_SUITE(target_protocol, TEST(what_is_encoded_is_decoded_at_every_cut),
           TEST(bad_headers_are_refused), TEST(a_body_too_long_is_not_sent),
           TEST(blocking_ends_talk))
