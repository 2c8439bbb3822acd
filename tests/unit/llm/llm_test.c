/* The client's decisions: when to try again, which part of a reply is the answer, identity of
 * requests. */
#include "llm/llm_p.h"

#include "base/file.h"
#include "base/path.h"
#include "unit/test.h"

static void waits_as_the_server_says(void **state)
{
    static const struct {
        const char *name;
        struct http_reply reply;
        bool is_exhausted;
        int n_tries;
        int64_t least, most; /* -1: gives up */
    } rows[] = {
        {"first failure", {503, {0}, NULL, -1, -1}, false, 1, 376, 500},
        {"third failure", {503, {0}, NULL, -1, -1}, false, 3, 1500, 2000},
        {"never above 8 s", {503, {0}, NULL, -1, -1}, false, 5, 6000, 8000},
        {"no connection", {0, {0}, "refused", -1, -1}, false, 1, 376, 500},
        {"the header says", {429, {0}, NULL, 1234, -1}, false, 1, 1234, 1234},
        {"a minute at most", {429, {0}, NULL, 3600000, -1}, false, 1, 60000, 60000},
        {"quota", {429, {0}, NULL, -1, -1}, true, 1, -1, -1},
        {"wrong request", {400, {0}, NULL, -1, -1}, false, 1, -1, -1},
        {"the server wants it again", {400, {0}, NULL, -1, 1}, false, 1, 376, 500},
        {"the server does not", {503, {0}, NULL, -1, 0}, false, 1, -1, -1},
        {"too often", {503, {0}, NULL, -1, -1}, false, 6, -1, -1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (uint64_t jitter = 0; jitter < 1000; jitter += 7) {
            struct retry_state s = {rows[i].n_tries, 6, 500, jitter};
            int64_t wait = retry__wait_ms(&rows[i].reply, rows[i].is_exhausted, &s);
            ASSERT_ROW(wait >= MIN(rows[i].least, rows[i].most - rows[i].most / 4) &&
                           wait <= rows[i].most,
                       rows[i].name);
        }
    }
}

static void answers_are_found_in_replies(void **state)
{
    static const struct {
        const char *name, *reply, *code, *json;
    } rows[] = {
        {"a fence", "Here:\n```python\nimport torch\n```\nDone.", "import torch\n", ""},
        {"never closed", "```\nimport torch\nx = 1\n", "import torch\nx = 1\n", ""},
        {"reasoning", "<think>```\nno\n```</think>\n```\nyes\n```", "yes\n", ""},
        {"prose around", "Sure.\nimport torch\nx = torch.ones(2)\nprint(x)\nThat is all.",
         "import torch\nx = torch.ones(2)\nprint(x)", ""},
        {"none", "I do not know.", "", ""},
        {"a value", "The answer is {\"a\": [1, \"}\"]} as asked.", "", "{\"a\": [1, \"}\"]}"},
        {"cut", "{\"a\": [1, 2", "", ""},
    };
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ASSERT_ROW(str_is(llm_extract_code(str_of(rows[i].reply), NULL, &a), rows[i].code),
                   rows[i].name);
        ASSERT_ROW(str_is(llm_extract_json(str_of(rows[i].reply)), rows[i].json), rows[i].name);
    }
    arena_done(&a);
}

static void each_sample_has_its_cassette(void **state)
{
    struct llm_options o = {.model = "m"};
    struct llm_request r = {.prompt = STR("p")}, sample = {.prompt = STR("p"), .sample = 1},
                       warm = {.prompt = STR("p"), .temperature = 0.7};
    struct hash one = llm_request_hash(&o, &r), again = llm_request_hash(&o, &r);
    struct hash two = llm_request_hash(&o, &sample), three = llm_request_hash(&o, &warm);
    (void)state;
    assert_true(hash_eq(&one, &again));
    assert_false(hash_eq(&one, &two));
    assert_false(hash_eq(&one, &three));
}

static void record(const char *place, uint32_t sample, const char *text)
{
    struct llm_options o = {.cassettes = place};
    struct llm_request r = {.prompt = STR("p"), .sample = sample};
    struct hash key = llm_request_hash(&o, &r);
    struct llm_reply reply = {
        .text = str_of(text), .stop = STR("stop"), .tokens_in = 3, .tokens_out = 4};
    struct err e;
    if (!cassette__write(place, &key, &r, "default", &reply, &e))
        fail_msg("%s", e.text);
}

static void replay_reads_what_was_recorded(void **state)
{
    static const char *const places[] = {"tapes", "tapes.jsonl"};
    static const char text[] = "answer\n\"quoted\"";
    struct arena a;
    struct err e;
    const char *dir;
    (void)state;
    arena_init(&a);
    assert_true(file_make_temp_dir(&a, "assay-llm", &dir, &e));
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        struct llm_options o = {.url = "cassette", .cassettes = path_join(&a, dir, places[i])};
        struct llm_request r = {.prompt = STR("p")};
        struct llm *llm;
        struct llm_reply back;
        record(o.cassettes, 0, text);
        record(o.cassettes, 2, "another");
        assert_true(llm_open(&o, &llm, &e));
        ASSERT_ROW(llm_ask(llm, &r, &a, &back, &e) && back.from_cassette &&
                       str_is(back.text, text) && back.tokens_out == 4,
                   places[i]);
        r.sample = 2;
        ASSERT_ROW(llm_ask(llm, &r, &a, &back, &e) && str_is(back.text, "another"), places[i]);
        r.sample = 1;
        ASSERT_ROW(!llm_ask(llm, &r, &a, &back, &e) && e.code == ERR_DATA, places[i]);
        assert_int_equal(llm_usage(llm).requests, 0);
        llm_close(llm);
    }
    assert_true(file_remove_tree(dir, &e));
    arena_done(&a);
}

static void a_stage_ends_when_it_must(void **state)
{
    static const struct {
        const char *name, *codes; /* '.': answered, 'd': unusable answer, 'e': no connection, 'l': a
                                     budget, 'u': the key */
        bool is_over;
    } rows[] = {
        {"answered", "....", false},         {"some fail", "d.e.d.e.d.", false},
        {"four in a row", "eeee", false},    {"five in a row", ".edede", true},
        {"a budget is used up", ".l", true}, {"the key is wrong", "u", true},
        {"it stays over", "l.", true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct llm_stage s = {0};
        for (const char *p = rows[i].codes; *p; p++) {
            struct err e = {.code = *p == 'd'   ? ERR_DATA
                                    : *p == 'e' ? ERR_ENVIRONMENT
                                    : *p == 'l' ? ERR_LIMIT
                                                : ERR_USAGE};
            llm_stage_take(&s, *p == '.' ? NULL : &e);
        }
        ASSERT_ROW(s.is_over == rows[i].is_over && s.n_asked == strlen(rows[i].codes),
                   rows[i].name);
    }
}

TEST_SUITE(llm_llm, TEST(a_stage_ends_when_it_must), TEST(waits_as_the_server_says),
           TEST(answers_are_found_in_replies), TEST(each_sample_has_its_cassette),
           TEST(replay_reads_what_was_recorded))
