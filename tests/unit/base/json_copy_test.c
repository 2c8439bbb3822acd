/* Writing a value that was read gives the same text. */
#include "base/json.h"
#include "unit/test.h"

static void a_value_that_was_read_is_written_as_it_stood(void **state)
{
    static const char *const texts[] = {
        "{}",
        "[]",
        "7",
        "{\"a\":[1,[],{}],\"b\":{\"c\":{\"d\":null}},\"\":true}",
        "[[[[\"x\"]]],-2.5,false]",
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct arena a;
        struct strbuf text = {0};
        struct err e;
        const struct json *j;
        struct json_out w = json_open(&text, JSON_COMPACT);
        arena_init(&a);
        ASSERT_ROW(json_parse(str_of(texts[i]), "t", &a, &j, &e), texts[i]);
        json_put_json(&w, j);
        assert_string_equal(text.at, texts[i]);
        strbuf_done(&text);
        arena_done(&a);
    }
}

TEST_SUITE(base_json_copy, TEST(a_value_that_was_read_is_written_as_it_stood))
