/* The made-up bug: y = Relu(x + w) with one wrong value, 9 of 10 runs. */
#include "unit/report/bug_fixture.h"

#include "base/file.h"
#include "base/path.h"
#include "case/disk.h"
#include "onnx/infer.h"
#include "unit/test.h"

static const int64_t dims[] = {2, 3};

struct model *scene_model(struct arena *a)
{
    struct err e;
    struct tensor w;
    static const double values[] = {0.25, -1, 3, 1e-3, 0, 7};
    struct model *m = model_new(a, 17);
    uint32_t x = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 2);
    assert_true(tensor_from_doubles(DTYPE_FLOAT, dims, 2, values, a, &w, &e));
    uint32_t wv = graph_add_initializer(m, m->graph, STR("w"), arena_dup(a, &w, sizeof w));
    uint32_t sum = graph_add_node(m, m->graph, "Add", (uint32_t[]){x, wv}, 2, 1);
    uint32_t y = graph_add_node(m, m->graph, "Relu", &sum, 1, 1);
    graph_add_output(m->graph, y);
    if (!model_finish(m, &e) || !infer_model(m, &e))
        fail_msg("%s", e.text);
    return m;
}

static void make_case(const char *dir, struct arena *a, struct str *output)
{
    struct err e;
    struct tensor x;
    static const double values[] = {1, 2, -4, 0.5, -0.5, 1};
    struct model *m = scene_model(a);
    assert_true(tensor_from_doubles(DTYPE_FLOAT, dims, 2, values, a, &x, &e));
    struct named_tensor named = {STR("x"), x};
    struct tensors inputs = {&named, 1};
    struct tcase c = {.kind = CASE_GRAPH,
                      .graph = m,
                      .input_sets = &inputs,
                      .n_input_sets = 1,
                      .from = {.generator = "test", .version = 1}};
    *output = m->graph->values.at[m->graph->outputs.at[0]].name;
    case_seal(&c);
    if (!case_write(dir, &c, &e))
        fail_msg("%s", e.text);
}

void scene_init(struct scene *s)
{
    struct err e;
    struct str output;
    arena_init(&s->a);
    assert_true(file_make_temp_dir(&s->a, "report", &s->dir, &e));
    make_case(path_join(&s->a, s->dir, "case"), &s->a, &output);
    s->store = store_new_memory();
    const struct store_bug row = {.id = STR("0123456789"),
                                  .key = STR("wrong-result|x|<&>"),
                                  .title = STR("Relu: wrong \"value\""),
                                  .state = STR("confirmed"),
                                  .severity = STR("S1"),
                                  .class = STR("wrong-result"),
                                  .oracle = STR("reference"),
                                  .taxonomy = STR("F2"),
                                  .engine = STR("ort"),
                                  .version = STR("1.31.1"),
                                  .mode = STR("all"),
                                  .pass = STR("ConvBNFusion"),
                                  .ops = STR("Add Relu"),
                                  .dtype = STR("float"),
                                  .nodes = 2,
                                  .measure = 0.5,
                                  .threshold = 1e-6,
                                  .expected = 2,
                                  .observed = 3,
                                  .wrong = STR("value"),
                                  .output = output,
                                  .claim = STR("expected 2, got 3"),
                                  .case_at = 41,
                                  .folder = STR("case")};
    struct store_change changes[11] = {{.kind = STORE_BUG, .bug = &row}};
    struct store_run runs[10];
    for (int i = 0; i < 10; i++) {
        runs[i] = (struct store_run){.bug = row.id, .kind = STR("fork"), .at = i, .failed = i < 9};
        changes[i + 1] = (struct store_change){.kind = STORE_RUN, .run = &runs[i]};
    }
    struct store_bug back;
    assert_true(store_commit(s->store, changes, COUNT_OF(changes), &e));
    assert_true(store_bug(s->store, STR("01"), &s->a, &back, &e));
    if (!report_bug_load(s->store, &back, s->dir, &s->a, &s->bug, &e))
        fail_msg("%s", e.text);
    assert_non_null(s->bug.c);
}

void scene_done(struct scene *s)
{
    struct err e;
    store_close(s->store);
    assert_true(file_remove_tree(s->dir, &e));
    arena_done(&s->a);
}
