/* What the passes over programs make of one. */
#include "python/reading.h"
#include "reduce/program_p.h"
#include "unit/test.h"

static const char chain[] = "def f(x):\n    a = x * 2\n    b = torch.neg(x)\n    return a, b\n";

typedef bool (*apply_fn)(struct trial *t, uint32_t lo, uint32_t hi);

static const struct {
    const char *name, *source, *made;
    apply_fn apply;
    uint32_t lo, hi;
} rows[] = {
    {"a statement goes with its name in the result", chain,
     "def f(x):\n    b = torch.neg(x)\n    return b\n", pass__apply_statements, 1, 2},
    {"the last of a list too", chain, "def f(x):\n    a = x * 2\n    return a\n",
     pass__apply_statements, 2, 3},
    {"two statements", chain, "def f(x):\n    return \n", pass__apply_statements, 1, 3},
    {"one argument", "f(1, k=2)\n", "f(1)\n", pass__apply_element, 1, 2},
    {"all arguments", "f(1, k=2)\n", "f()\n", pass__apply_element, 0, 2},
    {"an element", "[1, 2, 3]\n", "[1, 3]\n", pass__apply_element, 1, 2},
    {"an operand", "y = (a + b).sum()\n", "y = (a + b)\n", pass__apply_part, 0, 1},
    {"in parentheses where it is part of another", "y = -abs(a + b)\n", "y = -(a + b)\n",
     pass__apply_part, 1, 2},
    {"the object of a method", "y = x.half().neg()\n", "y = x.half()\n", pass__apply_part, 0, 1},
    {"no module", "import torch\ny = torch.neg(x)\n", "import torch\ny = x\n", pass__apply_part, 0,
     1},
    {"a value", "a = f(1)\ng(a)\n", "g(f(1))\n", pass__apply_inline_value, 0, 1},
    {"a number", "f(96)\n", "f(1)\n", pass__apply_number, 0, 1},
    {"an optimiser of all levels", "import torch\ntorch.compile(f)(x)\n",
     "import torch\ntorch.compile(f, backend=\"eager\")(x)\n", pass__apply_level, 0, 1},
    {"the next level", "import torch\ntorch.compile(f, backend=how,)(x)\n",
     "import torch\ntorch.compile(f, backend=\"aot_eager\",)(x)\n", pass__apply_level, 1, 2},
    {"of a decorator", "from torch import compile as c\n@c\ndef f(x):\n    return x\n",
     "from torch import compile as c\n@c(backend=\"eager\")\ndef f(x):\n    return x\n",
     pass__apply_level, 0, 1},
    {"a level stays", "torch.compile(f, backend=\"eager\")\n", "torch.compile(backend=\"eager\")\n",
     pass__apply_element, 0, 2},
};

static void passes_edit_programs(void **state)
{
    struct reader reader;
    struct arena a;
    struct err e;
    (void)state;
    arena_init(&a);
    if (!reader_open(&reader, "torch", &e))
        fail_msg("%s", e.text);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct program p = {.source = str_of(rows[i].source)};
        struct state from = {.program = &p, .parser = reader.parser, .reader = &reader};
        struct trial t = {.from = &from, .a = &a, .source = p.source};
        ASSERT_ROW(rows[i].apply(&t, rows[i].lo, rows[i].hi), rows[i].name);
        if (!str_is(t.source, rows[i].made))
            fail_msg("%s: " STR_FMT, rows[i].name, STR_ARG(t.source));
    }
    reader_close(&reader);
    arena_done(&a);
}

TEST_SUITE(reduce_program, TEST(passes_edit_programs))
