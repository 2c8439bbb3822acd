/* Calls of verified pairs as programs: the same stream gives the same program, each edit changes
 * what its row says, and a program has a function for three families of frameworks. */
#include "generate/transfer/call_p.h"

#include "base/rng.h"
#include "unit/test.h"

enum { TRIES = 40, DRAWN = 200 };

static void each_edit_changes_its_part(void **state)
{
    static const struct {
        enum call_edit edit;
        const char *from, *to; /* to NULL: does not apply; "": anything else */
    } rows[] = {
        {CALL_EDIT_SAME, "f[2,3], 1", "f[2,3], 1"},
        {CALL_EDIT_RANK, "f[2,3], f[3]", "f[2,2,3], f[2,3]"},
        {CALL_EDIT_RANK, "1", NULL},
        {CALL_EDIT_EMPTY, "f[3], f[3]", "f[0], f[0]#1"},
        {CALL_EDIT_SCALAR, "f[3]", "f[]"},
        {CALL_EDIT_BROADCAST, "f[3]", "f[1]"},
        {CALL_EDIT_NEGATIVE, "f[3]:pos", "f[3]:neg"},
        {CALL_EDIT_NEGATIVE, "u[3]", NULL},
        {CALL_EDIT_TIES, "l[3]", "l[3]:ties"},
        {CALL_EDIT_EXTREME, "f[3]", "f[3]:edge"},
        {CALL_EDIT_EXTREME, "l[3]", NULL},
        {CALL_EDIT_EXTREME, "l[3]:idx5", NULL},
        {CALL_EDIT_LARGE, "[f[3]], 0", "[f[3]:big], 0"},
        {CALL_EDIT_STRIDED, "f[3]", NULL},
        {CALL_EDIT_DIMENSION, "f[3]", NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct call from, made;
        struct err e = {0};
        struct rng r;
        struct strbuf text = {0};
        bool ok = false;
        arena_init(&a);
        rng_init(&r, 1, RNG_TEST, i);
        assert_true(call_parse(str_of(rows[i].from), &a, &from, &e));
        for (unsigned k = 0; k < TRIES && !ok; k++)
            ok = call__edit(&from, rows[i].edit, &r, &a, &made);
        ASSERT_ROW(ok == (rows[i].to != NULL), rows[i].from);
        if (ok)
            call_print(&made, &text);
        ASSERT_ROW(!ok || str_is(strbuf_str(&text), rows[i].to), rows[i].to);
        strbuf_done(&text);
        arena_done(&a);
    }
}

static void a_strided_tensor_keeps_its_shape(void **state)
{
    struct arena a;
    struct call from, made;
    struct err e = {0};
    struct rng r;
    (void)state;
    arena_init(&a);
    rng_init(&r, 1, RNG_TEST, 0);
    assert_true(call_parse(STR("f[2,3,4]"), &a, &from, &e));
    assert_true(call__edit(&from, CALL_EDIT_STRIDED, &r, &a, &made));
    const struct arg *v = &made.args.at[0].value;
    assert_true(str_is(v->text, "f[4,3,2]"));
    assert_int_equal(v->n_perm, 3);
    assert_int_equal(v->perm[0], 2);
    arena_done(&a);
}

static size_t count(struct str text, const char *piece)
{
    size_t n = 0;
    for (size_t at = 0; (at = str_find(text, str_of(piece))) < text.n; n++)
        text = str_sub(text, at + 1, text.n);
    return n;
}

static void open_groups(struct arena *a, struct call_groups *out)
{
    struct pair_files *pairs = arena_new(a, struct pair_files);
    struct err e = {0};
    if (!pairs_load(NULL, a, pairs, &e) ||
        !call_groups_make(pairs, &(struct call_targets){0}, a, out, &e))
        fail_msg("%s", e.text);
}

static void programs_are_a_function_of_the_stream(void **state)
{
    struct arena a;
    struct call_groups groups;
    size_t n = 0;
    (void)state;
    arena_init(&a);
    open_groups(&a, &groups);
    assert_true(groups.list.n > 100);
    for (uint64_t i = 0; i < DRAWN; i++) {
        struct program p, again;
        struct strbuf edits = {0};
        struct rng r, same;
        rng_init(&r, 3, RNG_TEST, i);
        rng_init(&same, 3, RNG_TEST, i);
        bool made = call_program_make(&groups, &r, &a, &p, &edits);
        assert_int_equal(made, call_program_make(&groups, &same, &a, &again, &edits));
        n += made;
        if (made) {
            assert_true(str_eq(p.source, again.source));
            assert_true(str_is(p.entry, CALL_ENTRY) && !p.framework.n);
            assert_int_equal(count(p.source, "\ndef call_"), 3);
            /* Torch beside others, or Keras on its backends; both have one on JAX. */
            assert_int_equal(
                count(p.source, "def call_torch(") + count(p.source, "def call_keras_numpy("), 1);
            assert_int_equal(
                count(p.source, "def call_jax(") + count(p.source, "def call_keras_jax("), 1);
        }
        strbuf_done(&edits);
    }
    assert_true(n > DRAWN / 4);
    arena_done(&a);
}

/* Each recorded disagreement is of a pair that takes part; those that documents explain are left
 * out. */
static void recorded_disagreements_are_programs(void **state)
{
    struct arena a;
    struct call_groups groups;
    size_t n = 0;
    (void)state;
    arena_init(&a);
    open_groups(&a, &groups);
    for (size_t i = 0; i < groups.recorded.n; i++) {
        const struct call_recorded *x = &groups.recorded.at[i];
        struct program p;
        struct strbuf edits = {0};
        struct rng r;
        call_print(x->call, &edits);
        assert_true(str_eq(strbuf_str(&edits), x->text));
        strbuf_clear(&edits);
        rng_init(&r, 3, RNG_TEST, i);
        ASSERT_ROW(!(str_is(x->row->op, "argmax") && strcmp(x->edit, "extreme") == 0), x->edit);
        if (call_program_recorded(&groups, i, &r, &a, &p, &edits)) {
            n++;
            assert_true(str_find(p.source, x->row->b) < p.source.n);
            assert_true(str_find(strbuf_str(&edits), STR("edit recorded")) < edits.n);
        }
        strbuf_done(&edits);
    }
    assert_true(n > 10);
    arena_done(&a);
}

TEST_SUITE(generate_call, TEST(recorded_disagreements_are_programs),
           TEST(each_edit_changes_its_part), TEST(a_strided_tensor_keeps_its_shape),
           TEST(programs_are_a_function_of_the_stream))
