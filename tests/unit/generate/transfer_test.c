/* Programs translated to Keras: what each call becomes, and why a program is not translated. */
#include "generate/transfer/translate.h"
#include "unit/test.h"

static void programs_are_translated_whole_or_not_at_all(void **state)
{
    static const struct {
        const char *name, *text, *holds, *reason; /* holds NULL: not translated */
    } rows[] = {
        {"a pair", "import torch\nx = torch.ones(2, 3)\nprint(torch.abs(x))\n", "abs(x))", NULL},
        {"a row of the table", "import torch\nx = torch.zeros(2, 3)\n",
         "keras.ops.zeros((2, 3, ), dtype='float32')", NULL},
        {"an alias", "import torch.nn.functional as F\nimport torch\ny = F.relu(torch.ones(2))\n",
         "keras.ops.relu(", NULL},
        {"a method", "import torch\ny = torch.ones(2, 3).view(3, 2)\n",
         "keras.ops.reshape(keras.ops.ones(", NULL},
        {"a module", "import torch\nm = torch.nn.Linear(3, 4)\n", "_Linear(3, 4)", NULL},
        {"a dtype", "import torch\ny = torch.ones(2, dtype=torch.float64)\n", "dtype='float64'",
         NULL},
        {"an optimiser", "import torch\nf = torch.compile(lambda x: x + 1)\n",
         "_compiled(lambda x: x + 1)", NULL},
        {"no pair", "import torch\ny = torch.nosuch(torch.ones(2))\n", NULL,
         "no pair: torch.nosuch"},
        {"in place", "import torch\nx = torch.ones(2)\nx.add_(1)\n", NULL,
         "no counterpart of the method: add_"},
        {"elements", "import torch\nx = torch.ones(2)\nx[0] = 1\n", NULL,
         "no counterpart: assignment to elements"},
        {"no framework", "print(1)\n", NULL, "not about it: no call of the framework"},
        {"damage", "import torch\ntorch.ones(\n", NULL, "not read: damaged source"},
    };
    struct arena a;
    struct translator t;
    struct reader reader;
    struct err e = {0};
    (void)state;
    arena_init(&a);
    if (!translator_open("keras", &a, &t, &e) || !reader_open(&reader, "torch", &e))
        fail_msg("%s", e.text);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct translation made;
        translate(&t, &reader, str_of(rows[i].text), &a, &made);
        if (!rows[i].holds) {
            ASSERT_ROW(!made.text.n && str_is(made.reason, rows[i].reason), rows[i].name);
            continue;
        }
        ASSERT_ROW(str_find(made.text, str_of(rows[i].holds)) < made.text.n, rows[i].name);
        ASSERT_ROW(str_find(made.text, STR("import torch")) == made.text.n, rows[i].name);
    }
    reader_close(&reader);
    arena_done(&a);
}

static void a_target_without_a_table_is_refused(void **state)
{
    struct arena a;
    struct translator t;
    struct err e = {0};
    (void)state;
    arena_init(&a);
    assert_false(translator_open("nosuch", &a, &t, &e));
    assert_int_equal(e.code, ERR_USAGE);
    arena_done(&a);
}

TEST_SUITE(generate_transfer, TEST(programs_are_translated_whole_or_not_at_all),
           TEST(a_target_without_a_table_is_refused))
