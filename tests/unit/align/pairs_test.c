/* The pairs that are part of assay: all are read, look-alikes are distinguished, evidence is
 * enough. */
#include "align/pairs.h"

#include "base/file.h"
#include "unit/test.h"

static struct arena arena;
static struct pair_files files;

static int load(void **state)
{
    struct err e = {0};
    (void)state;
    arena_init(&arena);
    if (pairs_load(NULL, &arena, &files, &e))
        return 0;
    print_error("%s\n", e.text);
    return -1;
}

static int unload(void **state)
{
    (void)state;
    arena_done(&arena);
    return 0;
}

/* Does the adapter only pass the arguments in their places? */
static bool changes_nothing(const struct adapter *x)
{
    return adapter_is_identity(x) || str_is(x->text, "0") || str_is(x->text, "0, 1") ||
           str_is(x->text, "0, 1, 2");
}

/* Is the pair equal without an adapter, under any of the functions' names? */
static bool is_accepted(struct str a, struct str b)
{
    for (size_t i = 0; i < files.n; i++) {
        for (size_t k = 0; k < files.at[i].n; k++) {
            const struct pair_row *r = &files.at[i].rows[k];
            if (r->is_verified && changes_nothing(&r->adapter) && pair_has_name(r->names_a, a) &&
                pair_has_name(r->names_b, b))
                return true;
        }
    }
    return false;
}

static void no_decoy_is_accepted(void **state)
{
    struct str text, line;
    struct err e = {0};
    size_t n = 0, n_wrong = 0;
    (void)state;
    assert_true(
        file_read(ASSAY_SOURCE_DIR "/tests/data/align/decoys.txt", 1 << 20, &arena, &text, &e));
    while (str_split(&text, '\n', &line)) {
        struct str rest = line, name, a = {0};
        if (!line.n || line.at[0] == '#')
            continue;
        while (str_split(&rest, ' ', &name)) {
            if (!a.n) {
                a = str_sub(name, 0, name.n - 1);
                continue;
            }
            n++;
            /* Records name a function by its shortest public name; tables may use a longer one. */
            if (is_accepted(a, name)) {
                print_error("accepted: " STR_FMT " = " STR_FMT "\n", STR_ARG(a), STR_ARG(name));
                n_wrong++;
            }
        }
    }
    assert_true(n >= 200);
    assert_int_equal(n_wrong, 0);
}

static void verified_pairs_have_their_evidence(void **state)
{
    (void)state;
    for (size_t i = 0; i < files.n; i++) {
        for (size_t k = 0; k < files.at[i].n; k++) {
            const struct pair_row *r = &files.at[i].rows[k];
            const char *name = str_dup(&arena, r->a);
            int64_t held = json_get_i64(r->evidence, "held_out", 0);
            if (!r->is_verified)
                continue;
            ASSERT_ROW(json_get_i64(r->evidence, "common", 0) >= 10, name);
            ASSERT_ROW(json_get_i64(r->evidence, "input_kinds", 0) >= 3, name);
            ASSERT_ROW(json_get_i64(r->evidence, "distinct_outputs", 0) >= 5, name);
            ASSERT_ROW(json_get_i64(r->evidence, "held_out_equal", 0) * 10 >= held * 9, name);
        }
    }
}

static void a_pair_is_found_by_any_name(void **state)
{
    const struct pair_row *r = pairs_best(&files, STR("torch.Tensor.sin"), STR("tensorflow"));
    (void)state;
    assert_non_null(r);
    assert_true(pair_has_name(r->names_b, STR("tf.math.sin")) ||
                pair_has_name(r->names_b, STR("tf.experimental.numpy.sin")));
    assert_null(pairs_best(&files, STR("torch.nosuch"), STR("tensorflow")));
}

static void a_pair_knows_the_ranks_that_it_was_equal_on(void **state)
{
    static const struct {
        const char *a, *b, *call;
        bool known;
    } rows[] = {{"torch.inner", "keras.ops.dot", "f[3], f[3]", true},
                {"torch.inner", "keras.ops.dot", "f[3,3], f[3,3]", false},
                {"torch.linalg.diagonal", "tf.experimental.numpy.diag", "f[2,2]", true},
                {"torch.linalg.diagonal", "tf.experimental.numpy.diag", "f[2,2,2]", false}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct pair_row *found = NULL;
        struct call c;
        struct err e = {0};
        for (size_t f = 0; f < files.n; f++)
            for (size_t k = 0; k < files.at[f].n; k++)
                if (str_is(files.at[f].rows[k].a, rows[i].a) &&
                    str_is(files.at[f].rows[k].b, rows[i].b))
                    found = &files.at[f].rows[k];
        ASSERT_ROW(found && call_parse(str_of(rows[i].call), &arena, &c, &e), rows[i].b);
        ASSERT_ROW(pair_knows_ranks(found, &c) == rows[i].known, rows[i].call);
    }
}

int test_suite_align_pairs(void);
int test_suite_align_pairs(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(no_decoy_is_accepted), TEST(a_pair_knows_the_ranks_that_it_was_equal_on),
        TEST(verified_pairs_have_their_evidence), TEST(a_pair_is_found_by_any_name)};
    return cmocka_run_group_tests_name("align_pairs", tests, load, unload);
}
