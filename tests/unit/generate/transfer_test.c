/* Programs translated to Keras, JAX and PyTorch: what each call becomes, and why a program is not
 * translated. */
#include <stdio.h>

#include "generate/generate.h"
#include "generate/transfer/translate.h"
#include "unit/test.h"

static void programs_are_translated_whole_or_not_at_all(void **state)
{
    static const struct {
        const char *name, *text, *holds, *reason; /* holds NULL: not translated */
    } rows[] = {
        {"a pair", "import torch\nx = torch.ones(2, 3)\nprint(torch.abs(x))\n", "abs(x))", NULL},
        {"a row of the table", "import torch\nx = torch.zeros(2, 3)\n", "x = _zeros(2, 3)", NULL},
        {"an alias", "import torch.nn.functional as F\nimport torch\ny = F.relu(torch.ones(2))\n",
         "keras.ops.relu(", NULL},
        {"a method", "import torch\ny = torch.ones(2, 3).view(3, 2)\n",
         "y = _view(_ones(2, 3), 3, 2)", NULL},
        {"a module", "import torch\nm = torch.nn.Linear(3, 4)\n", "_Linear(3, 4)", NULL},
        {"a dtype", "import torch\ny = torch.ones(2, dtype=torch.float64)\n", "dtype='float64'",
         NULL},
        {"an optimiser", "import torch\nf = torch.compile(lambda x: x + 1)\n",
         "_compiled(lambda x: _binary('+', x, 1))", NULL},
        {"no pair", "import torch\ny = torch.nosuch(torch.ones(2))\n", NULL,
         "no pair: torch.nosuch"},
        {"in place", "import torch\nx = torch.ones(2)\nx.add_(1)\n",
         "\nx = _stored(x, keras.ops.add(", NULL},
        {"in place, twice", "import torch\nx = torch.ones(2)\nx.mul_(2).add_(1)\n",
         "x = _stored(x, keras.ops.add((x := _stored(x, keras.ops.multiply(", NULL},
        {"in place, as a value", "import torch\nx = torch.ones(2)\ny = x.add_(1)\n",
         "y = (x := _stored(x, keras.ops.add(", NULL},
        {"in place, without a name", "import torch\ny = torch.empty(2).fill_(1)\n",
         "y = keras.ops.full_like(_zeros(2), 1)", NULL},
        {"in place, unknown", "import torch\nx = torch.ones(2)\nx.nosuch_(1)\n", NULL,
         "no counterpart of the method: nosuch_"},
        {"an element", "import torch\nx = torch.ones(2)\nx[0] = 1\n", "\nx = _set(x, np.s_[0], 1)",
         NULL},
        {"an element of an element", "import torch\nx = torch.ones(2, 2)\nx[0][1] = 1\n",
         "\nx = _set(x, np.s_[0], _set(x[0], np.s_[1], 1))", NULL},
        {"an element, augmented", "import torch\nx = torch.ones(2)\nx[0] += 1\n",
         "\nx = _set(x, np.s_[0], x[0] + (1))", NULL},
        {"elements of a list of targets", "import torch\nx = torch.ones(2)\nx[0], y = 1, 2\n",
         "_parts = (1, 2); x = _set(x, np.s_[0], _parts[0]); y = _parts[1]", NULL},
        {"elements by a mask", "import torch\nx = torch.ones(2)\ny = x[x > 0]\n",
         "y = _get(x, np.s_[_binary('>', x, 0)])", NULL},
        {"a slice", "import torch\nx = torch.ones(2)\ny = x[1:]\n", "y = x[1:]", NULL},
        {"gradients", "import torch\nx = torch.ones(2, requires_grad=True)\nx.sum().backward()\n",
         "_record()\npass\nx = _watch(_ones(2), True)\n_backward(_sum(x))", NULL},
        {"settings", "import torch\ntorch._dynamo.config.suppress_errors = True\ntorch.ones(2)\n",
         "pass\n_ones(2)", NULL},
        {"arguments of a dict", "import torch\nk = {}\nx = torch.ones(2, **k)\n",
         "x = _ones(2, **k)", NULL},
        {"a function as a value", "import torch\nf = torch.cat\nf([torch.ones(2)])\n", "f = _cat",
         NULL},
        {"a function as a value, with a first argument",
         "import torch\nf = torch.argmax\nf(torch.ones(2))\n",
         "f = functools.partial(_argument, keras.ops.argmax)", NULL},
        {"a library of the source", "import torch\nimport torchvision\ntorch.ones(2)\n", NULL,
         "no counterpart: torchvision"},
        {"no framework", "print(1)\n", NULL, "not about it: no call of the framework"},
        {"damage", "import torch\ntorch.ones(\n", NULL, "not read: damaged source"},
    };
    struct arena a;
    struct translator t;
    struct reader reader;
    struct err e = {0};
    (void)state;
    arena_init(&a);
    if (!translator_open("keras", &a, &t, &e) || !reader_open(&reader, t.source, &e))
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

/* The other directions: their tables, and pairs that are used from their second side. */
static void each_target_has_its_source(void **state)
{
    static const struct {
        const char *target, *name, *text, *holds, *reason;
    } rows[] = {
        {"jax", "a pair", "import torch\ny = torch.fmax(torch.ones(2), torch.ones(2))\n",
         "jax.numpy.fmax(_ones(2), _ones(2))", NULL},
        {"jax", "operators stay", "import torch\ny = torch.ones(2) + 1\n", "y = _ones(2) + 1",
         NULL},
        {"jax", "gradients", "import torch\nx = torch.ones(2)\nx.sum().backward()\n", NULL,
         "no counterpart of the method: backward"},
        {"keras", "an operator on tensors", "import torch\ny = torch.ones(2) + 1\n",
         "y = _binary('+', _ones(2), 1)", NULL},
        {"keras", "an operator on text", "import torch\ny = 'a' + str(torch.ones(2))\n",
         "y = 'a' + str(", NULL},
        {"torch", "a row", "import tensorflow as tf\ny = tf.reduce_sum(tf.ones([2]))\n",
         "y = _sum(_ones([2]))", NULL},
        {"torch", "a pair from its second side",
         "import tensorflow as tf\nx = tf.ones([2])\ny = tf.math.atan2(x, x)\n",
         "y = torch.arctan2(x, x)", NULL},
        {"torch", "an adapter turned around",
         "import tensorflow as tf\nx = tf.ones([2])\ny = tf.math.cumulative_logsumexp(x, axis=0)\n",
         "y = torch.logcumsumexp(x, 0)", NULL},
        {"torch", "an element of a list", "import tensorflow as tf\nx = [tf.ones([2])]\nx[0] = 1\n",
         "\nx[0] = 1", NULL},
        {"torch", "arguments that the row lacks",
         "import tensorflow as tf\ny = tf.raw_ops.LRNGrad(input_grads=1, input_image=1)\n", NULL,
         "other arguments: tf.raw_ops.LRNGrad"},
        {"torch", "a name of Keras within TensorFlow",
         "import tensorflow as tf\nm = tf.keras.layers.Dense(3)\n", "m = _Dense(3)", NULL},
        {"torch", "an optimiser", "import tensorflow as tf\nf = tf.function(lambda x: tf.abs(x))\n",
         "f = _compiled(lambda x: torch.abs(_tensor(x)))", NULL},
        {"torch", "no pair", "import tensorflow as tf\ntf.raw_ops.MapPeek(key=tf.ones([1]))\n",
         NULL, "no pair: tf.raw_ops.MapPeek"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct translator t;
        struct reader reader;
        struct translation made;
        struct err e = {0};
        arena_init(&a);
        if (!translator_open(rows[i].target, &a, &t, &e) || !reader_open(&reader, t.source, &e))
            fail_msg("%s", e.text);
        translate(&t, &reader, str_of(rows[i].text), &a, &made);
        if (rows[i].holds)
            ASSERT_ROW(str_find(made.text, str_of(rows[i].holds)) < made.text.n, rows[i].name);
        else
            ASSERT_ROW(!made.text.n && str_is(made.reason, rows[i].reason), rows[i].name);
        reader_close(&reader);
        arena_done(&a);
    }
}

/* What the ablations leave out. */
static void parts_can_be_left_out(void **state)
{
    static const struct {
        const char *name, *text, *holds;
        struct translate_without without;
    } rows[] = {
        {"all", "import torch\nx = torch.cat([torch.ones(2)], 0)\n", "_cat([_ones(2)], 0)", {0}},
        {"screening off",
         "import torch\nx = torch.nosuch(torch.ones(2))\n",
         "x = torch.nosuch(torch.ones(2))",
         {.screening = true}},
        {"distinction off",
         "import torch\nx = torch.matmul(torch.ones(2), other=1)\n",
         "x = keras.ops.matmul(_ones(2), other=1)",
         {.distinction = true}},
        {"alignment by names",
         "import torch\nx = torch.cat([torch.ones(2)], 0)\n",
         "_cat([_ones(2)], 0)",
         {.alignment = true}},
        {"alignment by names, other names",
         "import torch\nx = torch.bmm(torch.ones(2), 1)\n",
         NULL,
         {.alignment = true}},
    };
    struct arena a;
    struct translator t;
    struct reader reader;
    struct err e = {0};
    (void)state;
    arena_init(&a);
    if (!translator_open("keras", &a, &t, &e) || !reader_open(&reader, t.source, &e))
        fail_msg("%s", e.text);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct translation made;
        t.without = rows[i].without;
        translate(&t, &reader, str_of(rows[i].text), &a, &made);
        ASSERT_ROW(rows[i].holds ? str_find(made.text, str_of(rows[i].holds)) < made.text.n
                                 : !made.text.n,
                   rows[i].name);
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

struct skipped {
    size_t n;
    char what[80];
    struct err why;
};

static void note_skipped(void *ctx, const char *what, const struct err *why)
{
    struct skipped *s = ctx;
    snprintf(s->what, sizeof s->what, "%s", what);
    s->why = *why;
    s->n++;
}

static void pairs_of_another_version_are_left_out(void **state)
{
    static const char *const rows[][2] = {
        {"torch@2.13.0/eager", ""},
        {"jax@0.0.1/jit", "pairs of torch and jax"},
        {"jaxed@0.0.1/jit", ""},
    };
    const struct generator_ops *ops;
    struct err e = {0};
    (void)state;
    assert_true(generator_choose("transfer", &ops, &e));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct skipped skipped = {0};
        const struct generate_options o = {
            .targets = &rows[i][0], .n_targets = 1, .on_skip = note_skipped, .ctx = &skipped};
        struct generator *g;
        ASSERT_ROW(ops->open(&o, &g, &e), rows[i][0]);
        ops->close(g);
        ASSERT_ROW(strcmp(skipped.what, rows[i][1]) == 0, rows[i][0]);
        ASSERT_ROW(skipped.n == (rows[i][1][0] != 0), rows[i][0]);
        ASSERT_ROW(!skipped.n || strstr(skipped.why.text, "not with 0.0.1"), rows[i][0]);
    }
}

TEST_SUITE(generate_transfer, TEST(pairs_of_another_version_are_left_out),
           TEST(programs_are_translated_whole_or_not_at_all), TEST(each_target_has_its_source),
           TEST(parts_can_be_left_out), TEST(a_target_without_a_table_is_refused))
