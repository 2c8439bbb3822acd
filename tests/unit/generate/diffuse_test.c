/* diffuse: same seed, same bytes; every program is Python that calls an optimiser; the corpus and
 * what is extracted from issues. */
#include "generate/corpus/record.h"
#include "generate/corpus/repair.h"
#include "generate/generate.h"

#include "base/compiler.h"
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
        n_same += z && i % 4 != 3 && hash_eq(&x->content, &z->content); /* 3: plain seeds */
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
        {"a name given anew",
         "import torch\nn = torch.nn.ReLU()\nn = torch.jit.script(n)\nm = torch.jit.freeze(n)\n",
         "layer:torch.nn.ReLU optimizer:torch.jit.script model:expression "
         "optimizer:torch.jit.freeze model:expression "},
        {"a copy in another mode",
         "import copy, torch\nn = torch.nn.ReLU()\nm = copy.deepcopy(n).eval()\n"
         "torch.jit.script(m)\n",
         "layer:torch.nn.ReLU optimizer:torch.jit.script model:expression "},
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

static struct generator *open_strategy(const char *strategy, const struct llm_options *llm)
{
    struct generator *g;
    struct err e;
    const struct generate_options o = {.seed = 5, .strategy = strategy, .llm = llm};
    if (!generator_find(STR("diffuse"))->open(&o, &g, &e))
        fail_msg("%s", e.text);
    return g;
}

static void strategies_do_what_they_say(void **state)
{
    static const struct {
        const char *name, *edit, *never; /* lines of edits that come, and that never come */
        bool makes;
    } rows[] = {
        {"assay", "recombine", "splice", true},     {"random", "model ", "splice", true},
        {"yanhui", "reason", "language ", true},    {"no-structure", "splice", "model ", true},
        {"no-error", "model ", "exception ", true}, {"no-rules", "recombine", "model ", true},
        {"operators", "model ", "numpy ", true},    {"numpy", "bucket=np.", "model ", true},
        {"patterns", "patterns ", "model ", true},  {"builtins", "builtins ", "model ", true},
        {"onnx-export", "model ", "numpy ", true},  {"fuzzgpt-fs", NULL, "seed=", false},
    };
    struct arena a;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct generator *g = open_strategy(rows[i].name, NULL);
        size_t n_made = 0, n_edit = 0, n_never = 0;
        for (uint64_t k = 0; k < N_CASES; k++) {
            struct tcase *c = next(g, k, &a);
            struct str edits = c ? c->from.edits : STR("");
            n_made += c != NULL;
            n_edit += rows[i].edit && str_find(edits, str_of(rows[i].edit)) < edits.n;
            n_never += str_find(edits, str_of(rows[i].never)) < edits.n;
        }
        ASSERT_ROW(rows[i].makes ? n_made > N_CASES / 2 && n_edit > 0 : n_made == 0, rows[i].name);
        ASSERT_ROW(n_never == 0, rows[i].name);
        g->ops->close(g);
    }
    arena_done(&a);
}

/* A walk repeats no entry of its list before most entries have come. */
static void a_walk_meets_what_it_has_not_met(void **state)
{
    struct generator *g = open_strategy("builtins", NULL);
    struct arena a;
    struct str seen[N_CASES] = {0};
    size_t n = 0;
    (void)state;
    arena_init(&a);
    for (uint64_t k = 0; k < 100; k++) {
        struct tcase *c = next(g, k, &a);
        struct str edits = c ? c->from.edits : STR("");
        size_t at = str_find(edits, STR("\nbuiltins "));
        if (at == edits.n || str_find(case_program(c)->source, STR("[None])")) == edits.n)
            continue;
        seen[n++] = case_program(c)->source;
    }
    assert_true(n > 40);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            assert_false(str_eq(seen[i], seen[k]));
    g->ops->close(g);
    arena_done(&a);
}

/* What a rule inserts after a return is a separate statement, with the imports that it needs;
 * strides visit every entry of a list. */
static void operators_are_statements(void **state)
{
    struct generator *g = open_strategy("numpy", NULL);
    struct arena a;
    size_t n_statements = 0;
    (void)state;
    arena_init(&a);
    for (uint64_t k = 0; k < N_CASES; k++) {
        struct tcase *c = next(g, k, &a);
        struct str text = c ? case_program(c)->source : STR("");
        if (str_find(text, STR("np.")) < text.n)
            assert_true(str_find(text, STR("numpy as np")) < text.n);
        n_statements += str_find(text, STR("    made_0 = ")) < text.n;
    }
    assert_true(n_statements > N_CASES / 4);
    g->ops->close(g);
    arena_done(&a);
}

/* Operators that are added together stand beside one another, under names of their own; one
 * reads another's result now and then. */
static void operators_stand_beside_one_another(void **state)
{
    struct generator *g = open_strategy("random", NULL);
    struct arena a;
    size_t n_all = 0, n_follow = 0;
    (void)state;
    arena_init(&a);
    for (uint64_t k = 0; k < N_CASES; k++) {
        struct tcase *c = next(g, k, &a);
        struct str text = c ? case_program(c)->source : STR("");
        size_t at = str_find(text, STR(" made_2 = "));
        if (at == text.n)
            continue;
        struct str rest = str_sub(text, at + strlen(" made_2 = "), text.n);
        struct str line = str_sub(rest, 0, str_find_byte(rest, '\n'));
        assert_true(str_find(rest, STR(" made_2 = ")) == rest.n);
        assert_true(str_find(rest, STR("made_2")) < rest.n); /* it is read, or returned */
        n_follow += str_find(line, STR("made_1")) < line.n;
        n_all++;
    }
    assert_true(n_all > N_CASES / 16);
    assert_true(n_follow > 0 && n_follow < n_all);
    g->ops->close(g);
    arena_done(&a);
}

static void an_unknown_strategy_is_refused(void **state)
{
    struct generator *g;
    struct err e;
    (void)state;
    assert_false(generator_find(STR("diffuse"))
                     ->open(&(struct generate_options){.strategy = "yanhu"}, &g, &e));
    assert_int_equal(e.code, ERR_USAGE);
    assert_non_null(strstr(e.text, "yanhui"));
}

/* The marks that a strategy's prompts contain, and those that they must not contain. */
static void prompts_show_what_the_strategy_says(void **state)
{
    static const struct {
        const char *name, *holds, *lacks;
        uint64_t every;
    } rows[] = {
        {"yanhui", "# Model: ", "# Title: ", 1},
        {"yanhui", "# Reason: ", "# Title: ", 1},
        {"fuzzgpt-fs", "# Title: ", "# Model: ", 1},
        {"no-structure", "# Reason: ", "# API: ", 1},
        {"no-error", "# Model: ", "# Triggered: ", 1},
        {"no-rules", "Write another", "Write a program like", 1},
        {"random", "# Model: ", "# Title: ", 4},
    };
    const struct llm_options llm = {.model = "m", .cassettes = "/nonexistent"};
    struct arena a;
    struct llm_request r;
    (void)state;
    arena_init(&a);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct generator *g = open_strategy(rows[i].name, &llm);
        size_t n_holds = 0, n_asks = 0;
        for (uint64_t k = 0; k < N_CASES; k++) {
            if (!g->ops->wants(g, k, &a, &r))
                continue;
            n_asks++;
            ASSERT_ROW(k % rows[i].every == 0 && r.prompt.n < 9000, rows[i].name);
            n_holds += str_find(r.prompt, str_of(rows[i].holds)) < r.prompt.n;
            ASSERT_ROW(str_find(r.prompt, str_of(rows[i].lacks)) == r.prompt.n, rows[i].name);
        }
        ASSERT_ROW(n_asks == N_CASES / rows[i].every && n_holds > n_asks / 2, rows[i].name);
        g->ops->close(g);
    }
    arena_done(&a);
}

/* Each cluster comes with each rule once, before any second sample. */
static void each_prompt_comes_once(void **state)
{
    const struct llm_options llm = {.model = "m", .cassettes = "/nonexistent"};
    struct generator *g = open_strategy("yanhui", &llm);
    struct arena a;
    struct map seen = {0};
    uint64_t n = 0;
    (void)state;
    arena_init(&a);
    for (struct llm_request r = {0}; g->ops->wants(g, n, &a, &r) && r.sample == 0; n++) {
        bool added;
        struct hash h = llm_request_hash(&llm, &r);
        map_at(&seen, &a, (struct str){str_dup(&a, (struct str){(char *)&h, sizeof h}), sizeof h},
               &added);
        assert_true(added);
    }
    assert_true(n > 100 && n % 6 == 0);
    g->ops->close(g);
    arena_done(&a);
}

static void each_seed_runs_once_as_it_stands(void **state)
{
    enum { N = 1000 };
    struct generator *g = open_strategy("assay", NULL);
    struct map seen = {0};
    struct arena a;
    size_t n_plain = 0;
    (void)state;
    arena_init(&a);
    for (uint64_t i = 0; i < N; i++) {
        struct tcase *c = next(g, i, &a);
        struct str edits = c ? c->from.edits : STR(""), line;
        bool added = true, is_plain = str_split(&edits, '\n', &line) && edits.n == 0;
        assert_true(!is_plain || i % 4 == 3);
        if (is_plain)
            map_at(&seen, &a, line, &added);
        assert_true(added);
        n_plain += is_plain;
    }
    assert_true(n_plain > 100 && n_plain < N / 4); /* it ends */
    g->ops->close(g);
    arena_done(&a);
}

/* Cases in four epochs for which the edits say that an input becomes half; one epoch has too few to
 * be compared. */
static size_t count_half(struct generator *g, uint64_t epoch, struct arena *a)
{
    size_t n = 0;
    for (uint64_t i = epoch * GENERATE_EPOCH; i < (epoch + 4) * GENERATE_EPOCH; i++) {
        struct tcase *c = next(g, i, a);
        struct str edits = c ? c->from.edits : STR(""), line;
        while (str_split(&edits, '\n', &line))
            n += str_starts(line, STR("input bucket=half "));
    }
    return n;
}

static void what_earned_is_chosen_more_often(void **state)
{
    static const char *const names[] = {"assay", "random"};
    struct learned l = {0};
    struct arena a;
    (void)state;
    arena_init(&a);
    for (uint64_t i = 0; i < GENERATE_EPOCH; i++) {
        bool good = i % 4 == 0;
        const struct reward r = {
            .n_failing_keys = good,
            .edits = good ? STR("seed=x\ninput bucket=half at=torch.compile\n")
                          : STR("seed=x\nmodel bucket=torch.abs at=torch.compile\n")};
        learned_reward(&l, i, &r);
    }
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct generator *plain = open_strategy(names[i], NULL), *g = open_strategy(names[i], NULL);
        g->ops->learn(g, &l);
        size_t before = count_half(plain, 2, &a), after = count_half(g, 2, &a);
        ASSERT_ROW(i == 0 ? after > 2 * before : after == before, names[i]);
        plain->ops->close(plain);
        g->ops->close(g);
    }
    learned_done(&l);
    arena_done(&a);
}

TEST_SUITE(generate_diffuse, TEST(each_seed_runs_once_as_it_stands),
           TEST(what_earned_is_chosen_more_often), TEST(strategies_do_what_they_say),
           TEST(a_walk_meets_what_it_has_not_met), TEST(operators_are_statements),
           TEST(operators_stand_beside_one_another), TEST(an_unknown_strategy_is_refused),
           TEST(prompts_show_what_the_strategy_says), TEST(each_prompt_comes_once),
           TEST(cases_depend_on_seed_and_index_alone),
           TEST(every_program_parses_and_calls_an_optimiser), TEST(the_default_corpus_is_whole),
           TEST(programs_are_found_in_issues), TEST(repair_changes_nothing_else),
           TEST(parts_are_found))
