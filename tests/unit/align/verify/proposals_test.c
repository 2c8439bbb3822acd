/* What proposes pairs: names that bodies use, and like descriptions. */
#include "align/verify/descriptions.h"
#include "align/verify/pivot.h"
#include "emit/emit.h"
#include "unit/test.h"

static const struct pivot_body *body(const struct pivot *p, const char *name)
{
    for (size_t i = 0; i < p->bodies.n; i++)
        if (str_is(p->bodies.at[i].name, name))
            return &p->bodies.at[i];
    return NULL;
}

static bool uses(const struct pivot *p, const char *name, const char *used)
{
    const struct pivot_body *b = body(p, name);
    for (size_t i = 0; b && i < b->uses.n; i++)
        if (str_is(b->uses.at[i], used))
            return true;
    return false;
}

static void a_body_uses_what_its_imports_mean(void **state)
{
    struct str text = STR("import torch\n"
                          "import torch.nn.functional as tnn\n"
                          "from keras.src.backend.torch.core import convert_to_tensor\n"
                          "LIMIT = torch.finfo(torch.float32).max\n"
                          "def log_softmax(x, axis=-1):\n"
                          "    def inner(y):\n"
                          "        return tnn.log_softmax(y, dim=axis)\n"
                          "    x = convert_to_tensor(x)\n"
                          "    return inner(x.flip(0)) if axis else torch.reshape(x, [-1])\n"
                          "def size(x):\n"
                          "    return x.shape\n"
                          "class Other:\n"
                          "    def abs(self, x):\n"
                          "        return torch.abs(x)\n");
    struct arena a;
    struct pivot p;
    struct err e = {0};
    (void)state;
    arena_init(&a);
    assert_true(pivot_read(text, &a, &p, &e));
    assert_int_equal(p.bodies.n, 1);
    assert_int_equal(p.bodies.at[0].uses.n, 2);
    assert_true(uses(&p, "log_softmax", "torch.nn.functional.log_softmax"));
    assert_true(uses(&p, "log_softmax", "torch.reshape"));
    arena_done(&a);
}

static void tables_of_emission_are_read(void **state)
{
    static const struct {
        const char *framework, *op_type, *used;
    } rows[] = {
        {"torch", "Erf", "torch.erf"},
        {"torch", "Conv", "torch.nn.functional.conv2d"},
        {"torch", "LogSoftmax", "torch.nn.functional.log_softmax"},
        {"torch", "hardmax", "torch.argmax"},
        {"tensorflow", "LogSoftmax", "tensorflow.nn.log_softmax"},
        {"jax", "LogSoftmax", "jax.nn.log_softmax"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct strbuf text = {0};
        struct pivot p;
        struct err e = {0};
        arena_init(&a);
        ASSERT_ROW(emit_print_table(str_of(rows[i].framework), &text), rows[i].framework);
        ASSERT_ROW(pivot_read(strbuf_str(&text), &a, &p, &e), rows[i].framework);
        ASSERT_ROW(uses(&p, rows[i].op_type, rows[i].used), rows[i].op_type);
        strbuf_done(&text);
        arena_done(&a);
    }
    struct strbuf none = {0};
    assert_false(emit_print_table(STR("keras"), &none));
    assert_int_equal(none.n, 0);
}

static void the_rarest_shared_words_decide(void **state)
{
    struct arena a;
    struct side library = {.name = STR("k")};
    struct descriptions d;
    const struct symbol *nearest[2];
    (void)state;
    arena_init(&a);
    static const struct {
        struct str name, summary;
        bool is_class;
    } rows[] = {
        {TEXT("k.flatten_all"), TEXT("Returns a tensor of one dimension."), false},
        {TEXT("k.diff"), TEXT("Returns the differences between adjacent elements."), false},
        {TEXT("k.Difference"), TEXT("A layer of adjacent differences."), true},
        {TEXT("k.sum"), TEXT("Returns a sum of elements."), false},
        {TEXT("k.unlike"), TEXT("Nothing at all"), false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        vec_push(&library.symbols, &a,
                 ((struct symbol){.name = rows[i].name,
                                  .summary = rows[i].summary,
                                  .is_class = rows[i].is_class}));
    const struct symbol asked = {.name = STR("t.adjacent"),
                                 .summary = STR("The Differences of elements")};
    descriptions_of(&library, &a, &d);
    assert_int_equal(descriptions_nearest(&d, &asked, nearest, COUNT_OF(nearest)), 2);
    assert_ptr_equal(nearest[0], &library.symbols.at[1]);
    assert_ptr_equal(nearest[1], &library.symbols.at[3]);
    const struct symbol alone = {.name = STR("q.zzz")};
    assert_int_equal(descriptions_nearest(&d, &alone, nearest, COUNT_OF(nearest)), 0);
    arena_done(&a);
}

TEST_SUITE(align_verify_proposals, TEST(a_body_uses_what_its_imports_mean),
           TEST(tables_of_emission_are_read), TEST(the_rarest_shared_words_decide))
