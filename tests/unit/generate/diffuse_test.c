/* diffuse: same seed, same bytes; every program is Python that calls an optimiser; the corpus and
 * what is extracted from issues. */
#include "generate/corpus/reading.h"
#include "generate/corpus/record.h"
#include "generate/generate.h"

#include "case/subject.h"
#include "unit/test.h"

enum { N_CASES = 200 };

static struct generator *open_diffuse(uint64_t seed)
{
    struct generator *g;
    struct err e;
    if (!generator_find(STR("diffuse"))->open(&(struct generate_options){.seed = seed}, &g, &e))
        fail_msg("%s", e.text);
    return g;
}

static struct tcase *next(struct generator *g, uint64_t index, struct arena *a)
{
    struct tcase *c;
    struct err e;
    assert_true(g->ops->next(g, index, a, &c, &e));
    return c;
}

static void cases_depend_on_seed_and_index_alone(void **state)
{
    struct generator *one = open_diffuse(5), *two = open_diffuse(5), *other = open_diffuse(6);
    struct arena a;
    size_t n_same = 0;
    (void)state;
    arena_init(&a);
    for (uint64_t i = 0; i < N_CASES; i++)
        next(one, i, &a);
    for (uint64_t i = N_CASES; i-- > 0;) {
        struct tcase *x = next(one, i, &a), *y = next(two, i, &a), *z = next(other, i, &a);
        assert_true(x && y && hash_eq(&x->id, &y->id));
        assert_true(str_eq(case_program(x)->source, case_program(y)->source));
        n_same += z && hash_eq(&x->content, &z->content);
    }
    assert_true(n_same < N_CASES / 10);
    one->ops->close(one);
    two->ops->close(two);
    other->ops->close(other);
    arena_done(&a);
}

static void every_program_parses_and_calls_an_optimiser(void **state)
{
    struct generator *g = open_diffuse(1);
    struct reader reader;
    struct arena a;
    struct err e;
    (void)state;
    arena_init(&a);
    assert_true(reader_open(&reader, "torch", &e));
    for (uint64_t i = 0; i < N_CASES; i++) {
        struct reading r;
        struct tcase *c = next(g, i, &a);
        if (!c)
            continue;
        assert_true(reading_make(&reader, case_program(c)->source, &a, &r));
        assert_true(r.tree.damage.n == 0);
        assert_non_null(parts_next(&r.parts, PART_OPTIMIZER, NULL));
    }
    reader_close(&reader);
    g->ops->close(g);
    arena_done(&a);
}

static void the_default_corpus_is_whole(void **state)
{
    struct issue_corpus all;
    struct arena a;
    struct err e;
    (void)state;
    arena_init(&a);
    assert_true(issue_corpus_load(NULL, &a, &all, &e));
    assert_int_equal(all.records.n, 296);
    assert_int_equal(all.n_unreadable + all.n_twice + all.n_without_code, 0);
    const struct issue_record *r = issue_corpus_find(&all, STR("#31192"));
    assert_true(r && str_is(r->exception, "RuntimeError") && r->category == CATEGORY_DTYPE);
    arena_done(&a);
}

static void programs_are_found_in_issues(void **state)
{
    static const struct {
        const char *name, *body, *code, *error;
    } rows[] = {
        {"a fence", "text\n```python\nimport torch\nx = 1\n```\nmore", "import torch\nx = 1\n", ""},
        {"the first that is a program", "```\n$ pip install\n```\n```py\nimport torch\n```",
         "import torch\n", ""},
        {"prompts", "```\n>>> import torch\n>>> torch.ones(2)\ntensor([1., 1.])\n```",
         "import torch\ntorch.ones(2)\n", ""},
        {"never closed", "```\nimport torch\n", "import torch\n", ""},
        {"none", "it does not work", "", ""},
        {"an error", "Traceback (most recent call last):\n  File \"x\"\nRuntimeError: no kernel\n",
         "", "RuntimeError: no kernel"},
        {"a dotted error", "torch._dynamo.exc.Unsupported: call\n", "",
         "torch._dynamo.exc.Unsupported: call"},
        {"no error", "Note: this is a word\n", "", ""},
    };
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        ASSERT_ROW(str_is(issue_extract_code(str_of(rows[i].body), &a), rows[i].code),
                   rows[i].name);
        ASSERT_ROW(str_is(issue_extract_error(str_of(rows[i].body)), rows[i].error), rows[i].name);
    }
    arena_done(&a);
}

static void repair_changes_nothing_else(void **state)
{
    static const struct {
        const char *name, *text, *becomes;
    } rows[] = {
        {"a device", "import torch\nx = torch.ones(2, device=\"cuda:0\")  # kept\n",
         "import torch\nx = torch.ones(2, device=\"cpu\")  # kept\n"},
        {"a method", "import torch\nx = torch.ones(2).cuda() + 1\n",
         "import torch\nx = torch.ones(2) + 1\n"},
        {"an import", "x = torch.ones(2)\ny = nn.ReLU()(x)\n",
         "import torch\nimport torch.nn as nn\nx = torch.ones(2)\ny = nn.ReLU()(x)\n"},
        {"nothing", "import torch\nx = 'cudax'\n", "import torch\nx = 'cudax'\n"},
    };
    struct reader reader;
    struct arena a;
    struct err e;
    (void)state;
    arena_init(&a);
    assert_true(reader_open(&reader, "torch", &e));
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        ASSERT_ROW(str_is(program_repair(&reader, str_of(rows[i].text), &a), rows[i].becomes),
                   rows[i].name);
    reader_close(&reader);
    arena_done(&a);
}

static void parts_are_found(void **state)
{
    static const struct {
        const char *name, *text, *parts;
    } rows[] = {
        {"a function by decorator", "import torch\n@torch.compile\ndef f(x):\n    return x\n",
         "optimizer:torch.compile model:function "},
        {"a factory", "import torch\n@torch.compile(dynamic=True)\ndef f(x):\n    return x\n",
         "optimizer:torch.compile model:function "},
        {"a lambda", "import torch\nf = torch.compile(lambda x: x)\n",
         "optimizer:torch.compile model:lambda "},
        {"an alias", "from torch import jit as j\nimport torch.nn as nn\nj.script(nn.ReLU())\n",
         "optimizer:torch.jit.script model:expression layer:torch.nn.ReLU "},
        {"a keyword", "import torch\nf = torch.compile(model=g)\n",
         "optimizer:torch.compile model:expression unbound:g "},
        {"a class", "import torch\nclass N(torch.nn.Module):\n    pass\n", "model:class "},
        {"a step", "import torch\nloss = torch.ones(1)\nloss.backward()\n",
         "input:torch.ones step:backward "},
    };
    struct reader reader;
    struct arena a;
    struct err e;
    (void)state;
    arena_init(&a);
    assert_true(reader_open(&reader, "torch", &e));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct reading r;
        struct strbuf said = {0};
        assert_true(reading_make(&reader, str_of(rows[i].text), &a, &r));
        for (size_t k = 0; k < r.parts.n; k++)
            strbuf_printf(&said, "%s:" STR_FMT " ", part_kind_name(r.parts.at[k].kind),
                          STR_ARG(r.parts.at[k].symbol));
        ASSERT_ROW(str_is(strbuf_str(&said), rows[i].parts), rows[i].name);
        strbuf_done(&said);
    }
    reader_close(&reader);
    arena_done(&a);
}

TEST_SUITE(generate_diffuse, TEST(cases_depend_on_seed_and_index_alone),
           TEST(every_program_parses_and_calls_an_optimiser), TEST(the_default_corpus_is_whole),
           TEST(programs_are_found_in_issues), TEST(repair_changes_nothing_else),
           TEST(parts_are_found))
