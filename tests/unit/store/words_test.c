/* Words as numbers: every text comes back, whatever the dictionary holds; damage is detected. */
#include "store/words_p.h"

#include <stdio.h>

#include "base/rng.h"
#include "unit/test.h"

static void add_all(struct words *w, struct str text)
{
    struct str word;
    char behind;
    while (words__split(&text, &word, &behind))
        if (!words__find(w, word) && words__has_room(w, word))
            words__add(w, (uint32_t)w->texts.n, word);
}

static void every_text_comes_back(void **state)
{
    static const char *const texts[] = {"",         "a",   "a b",    "a b\n",  " ",     "\n",
                                        "  \n\n a", "a\n", " a b a", "a\n\nb", "x=1\ty"};
    struct words w;
    struct arena a;
    (void)state;
    arena_init(&a);
    words__init(&w);
    for (int known = 0; known < 2; known++) {
        for (size_t i = 0; i < COUNT_OF(texts); i++) {
            struct strbuf bytes = {0};
            struct str back;
            if (known)
                add_all(&w, str_of(texts[i]));
            words__pack(&w, str_of(texts[i]), &bytes);
            ASSERT_ROW(words__unpack(&w, strbuf_str(&bytes), &a, &back), texts[i]);
            ASSERT_ROW(str_eq(back, str_of(texts[i])), texts[i]);
            strbuf_done(&bytes);
        }
    }
    words__done(&w);
    arena_done(&a);
}

static void known_words_take_a_byte_or_two(void **state)
{
    struct words w;
    struct strbuf bytes = {0};
    struct str text = STR("Conv/float Relu/float Conv/float MaxPool/float");
    (void)state;
    words__init(&w);
    add_all(&w, text);
    words__pack(&w, text, &bytes);
    assert_int_equal(bytes.n, 4);
    strbuf_done(&bytes);
    words__done(&w);
}

static void the_dictionary_is_bounded(void **state)
{
    struct words w;
    char name[16], longest[WORDS_LEN_MAX + 2];
    (void)state;
    words__init(&w);
    memset(longest, 'x', sizeof longest);
    assert_true(words__has_room(&w, (struct str){longest, WORDS_LEN_MAX}));
    assert_false(words__has_room(&w, (struct str){longest, WORDS_LEN_MAX + 1}));
    for (int i = 1; i < WORDS_MAX; i++) {
        snprintf(name, sizeof name, "w%d", i);
        assert_true(words__has_room(&w, str_of(name)));
        words__add(&w, (uint32_t)i, str_of(name));
    }
    assert_false(words__has_room(&w, STR("one more")));
    words__done(&w);
}

static void damaged_bytes_are_told(void **state)
{
    static const struct {
        const char *bytes;
        size_t n;
    } rows[] = {{"\x80", 1},
                {"\x0f", 1},
                {"\x00", 1},
                {"\x00\x05x", 3},
                {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 10}};
    struct words w;
    struct arena a;
    struct str back;
    struct rng r;
    (void)state;
    rng_init(&r, 7, (enum rng_stream)0, 0);
    arena_init(&a);
    words__init(&w);
    add_all(&w, STR("a b c"));
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_false(words__unpack(&w, (struct str){rows[i].bytes, rows[i].n}, &a, &back));
    for (int i = 0; i < 2000; i++) { /* random bytes: none after them is read */
        char bytes[12];
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (char)rng_below(&r, 256);
        words__unpack(&w, (struct str){bytes, rng_below(&r, sizeof bytes + 1)}, &a, &back);
    }
    words__done(&w);
    arena_done(&a);
}

TEST_SUITE(store_words, TEST(every_text_comes_back), TEST(known_words_take_a_byte_or_two),
           TEST(the_dictionary_is_bounded), TEST(damaged_bytes_are_told))
