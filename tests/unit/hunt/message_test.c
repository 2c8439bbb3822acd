/* Frames between coordinator and pilots: whole, in parts, and broken. */
#include "hunt/message.h"
#include "unit/test.h"

static void a_frame_is_taken_when_it_is_whole(void **state)
{
    static const struct {
        const char *name, *bytes;
        size_t n, used;
        bool bad;
    } rows[] = {
        {"nothing", "", 0, 0, false},
        {"part of the header", "\2\0\0\0\4\0\0\0", 8, 0, false},
        {"part of the body", "\2\0\0\0\4\0\0\0\0\0\0\0{", 13, 0, false},
        {"whole", "\2\0\0\0\4\0\0\0\0\0\0\0{}", 14, 14, false},
        {"whole and more", "\2\0\0\0\4\0\0\0\0\0\0\0{}\2\0", 16, 14, false},
        {"too long", "\1\0\20\0\4\0\0\0\0\0\0\0{}", 14, 0, true},
        {"no such kind", "\2\0\0\0\0\0\0\0\0\0\0\0{}", 14, 0, true},
        {"no such kind either", "\2\0\0\0\77\0\0\0\0\0\0\0{}", 14, 0, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct pilot_message m;
        bool bad;
        ASSERT_ROW(message_take((struct str){rows[i].bytes, rows[i].n}, &m, &bad) == rows[i].used,
                   rows[i].name);
        ASSERT_ROW(bad == rows[i].bad, rows[i].name);
        ASSERT_ROW(!rows[i].used || (m.kind == MESSAGE_RANGE && str_is(m.body, "{}")),
                   rows[i].name);
    }
}

static void rows_of_tables_travel(void **state)
{
    struct arena a;
    struct err e;
    struct strbuf text = {0};
    struct pilot_message m;
    bool bad;
    const struct json *body;
    struct message_rows rows;
    const struct store_failure failure = {.case_at = 7, .key = STR("k\"1")};
    const struct store_run run = {.bug = STR("b"), .failed = 1};
    (void)state;
    arena_init(&a);
    struct json_out w = message_begin(&text);
    json_key(&w, "rows");
    json_begin_array(&w);
    message_put_row(&w, &(struct store_change){.kind = STORE_FAILURE, .failure = &failure});
    message_put_row(&w, &(struct store_change){.kind = STORE_RUN, .run = &run});
    json_end_array(&w);
    assert_true(message_end(MESSAGE_ROWS, &w, &e));
    assert_int_equal(message_take(strbuf_str(&text), &m, &bad), text.n);
    assert_true(m.kind == MESSAGE_ROWS && json_parse(m.body, "rows", &a, &body, &e));
    assert_true(message_get_rows(body, &a, &rows, &e));
    assert_int_equal(rows.n, 2);
    assert_true(rows.at[0].kind == STORE_FAILURE && rows.at[0].failure->case_at == 7);
    assert_true(str_is(rows.at[0].failure->key, "k\"1"));
    assert_true(rows.at[1].kind == STORE_RUN && rows.at[1].run->failed == 1);
    assert_true(json_parse(STR("{\"rows\":[{\"table\":\"x\"}]}"), "rows", &a, &body, &e));
    assert_false(message_get_rows(body, &a, &rows, &e));
    strbuf_done(&text);
    arena_done(&a);
}

TEST_SUITE(hunt_message, TEST(a_frame_is_taken_when_it_is_whole), TEST(rows_of_tables_travel))
