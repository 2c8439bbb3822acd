/* Identity: what changes content, what changes only the id; and the parent as a case. */
#include "case/case.h"

#include "onnx/model.h"
#include "unit/test.h"

struct sample {
    struct tcase c;
    struct program p;
    struct named_tensor at[1];
    struct tensors set;
};

static void sample_fill(struct sample *s, struct arena *a)
{
    *s = (struct sample){0};
    s->p = (struct program){.source = STR("print(1)"), .framework = STR("torch")};
    s->at[0].name = STR("x");
    s->at[0].tensor = tensor_scalar_double(DTYPE_FLOAT, 1, a);
    s->set = (struct tensors){s->at, 1};
    s->c.kind = CASE_PROGRAM;
    s->c.program = &s->p;
    s->c.input_sets = &s->set;
    s->c.n_input_sets = 1;
    s->c.from = (struct provenance){.generator = "mutate", .version = 1, .seed = 7, .index = 3};
}

enum change {
    CHANGE_SOURCE,
    CHANGE_INPUT,
    CHANGE_INPUT_NAME,
    CHANGE_SEED,
    CHANGE_INDEX,
    CHANGE_EDITS,
    CHANGE_LANE,
    CHANGE_PRESERVES
};

static void apply(struct sample *s, enum change change, struct arena *a)
{
    switch (change) {
    case CHANGE_SOURCE:
        s->p.source = STR("print(2)");
        break;
    case CHANGE_INPUT:
        s->at[0].tensor = tensor_scalar_double(DTYPE_FLOAT, 2, a);
        break;
    case CHANGE_INPUT_NAME:
        s->at[0].name = STR("y");
        break;
    case CHANGE_SEED:
        s->c.from.seed = 8;
        break;
    case CHANGE_INDEX:
        s->c.from.index = 4;
        break;
    case CHANGE_EDITS:
        s->c.from.edits = STR("LA");
        break;
    case CHANGE_LANE:
        s->c.lane = LANE_VALUES;
        break;
    case CHANGE_PRESERVES:
        s->c.preserves_function = true;
        break;
    }
}

static void ids_change_with_all_and_contents_with_what_is_tested(void **state)
{
    static const struct {
        const char *name;
        enum change change;
        bool content_changes;
    } rows[] = {
        {"source", CHANGE_SOURCE, true},
        {"input", CHANGE_INPUT, true},
        {"input name", CHANGE_INPUT_NAME, true},
        {"seed", CHANGE_SEED, false},
        {"index", CHANGE_INDEX, false},
        {"edits", CHANGE_EDITS, false},
        {"lane", CHANGE_LANE, false},
        {"preserves", CHANGE_PRESERVES, false},
    };
    struct arena a;
    struct sample base;
    (void)state;
    arena_init(&a);
    sample_fill(&base, &a);
    case_seal(&base.c);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct sample s;
        sample_fill(&s, &a);
        case_seal(&s.c);
        ASSERT_ROW(hash_eq(&s.c.id, &base.c.id), rows[i].name);
        apply(&s, rows[i].change, &a);
        case_seal(&s.c);
        ASSERT_ROW(!hash_eq(&s.c.id, &base.c.id), rows[i].name);
        ASSERT_ROW(hash_eq(&s.c.content, &base.c.content) != rows[i].content_changes, rows[i].name);
    }
    arena_done(&a);
}

/* y = Relu(x), x of this dtype and these dims; -1: any size. */
static struct model *relu(enum dtype dtype, const int64_t *dims, uint32_t rank, struct arena *a)
{
    struct err e = {0};
    struct model *m = model_new(a, 17);
    uint32_t x = graph_add_input(m, m->graph, STR("x"), dtype, dims, rank);
    graph_add_output(m->graph, graph_add_node(m, m->graph, "Relu", &x, 1, 1));
    if (!model_finish(m, &e))
        fail_msg("%s", e.text);
    return m;
}

static void parents_run_on_the_inputs_of_the_case(void **state)
{
    static const int64_t two[] = {2}, three[] = {3}, any[] = {-1}, square[] = {2, 2};
    static const double values[] = {1, -2};
    static const struct {
        const char *name;
        enum dtype dtype;
        const int64_t *dims;
        uint32_t rank;
        bool preserves, kept, runs;
    } rows[] = {
        {"the same form", DTYPE_FLOAT, two, 1, true, true, true},
        {"any size", DTYPE_FLOAT, any, 1, true, true, true},
        {"another size", DTYPE_FLOAT, three, 1, true, true, false},
        {"another rank", DTYPE_FLOAT, square, 2, true, true, false},
        {"another dtype", DTYPE_DOUBLE, two, 1, true, true, false},
        {"another function", DTYPE_FLOAT, two, 1, false, true, false},
        {"not kept", DTYPE_FLOAT, two, 1, true, false, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct arena a;
        struct err e = {0};
        arena_init(&a);
        struct named_tensor at[] = {{.name = STR("more")}, {.name = STR("x")}};
        for (size_t k = 0; k < COUNT_OF(at); k++)
            assert_true(tensor_from_doubles(DTYPE_FLOAT, two, 1, values, &a, &at[k].tensor, &e));
        struct tensors set = {at, COUNT_OF(at)};
        struct tcase c = {.kind = CASE_GRAPH,
                          .graph = relu(DTYPE_FLOAT, two, 1, &a),
                          .input_sets = &set,
                          .n_input_sets = 1,
                          .preserves_function = rows[i].preserves,
                          .from = {.generator = "mutate", .version = 1}};
        if (rows[i].kept)
            c.parent = relu(rows[i].dtype, rows[i].dims, rows[i].rank, &a);
        case_seal(&c);
        const struct tcase *p = case_of_parent(&c, &a);
        ASSERT_ROW((p != NULL) == rows[i].runs, rows[i].name);
        if (p) {
            ASSERT_ROW(p->graph == c.parent && !p->parent, rows[i].name);
            ASSERT_ROW(p->input_sets[0].n == 1 && !hash_eq(&p->id, &c.id), rows[i].name);
        }
        arena_done(&a);
    }
}

TEST_SUITE(case_case, TEST(ids_change_with_all_and_contents_with_what_is_tested),
           TEST(parents_run_on_the_inputs_of_the_case))
