/* Cases, observations and verdicts that are written and read back. */
#include "case/disk.h"

#include <math.h>

#include "base/file.h"
#include "base/path.h"
#include "unit/test.h"

/* y = Relu(x + w) with a weight. */
static struct model *small_model(struct arena *a)
{
    static const int64_t dims[] = {2, 3};
    static const double values[] = {1, -2, 3, 0.5, -0.25, 4};
    struct err e = {0};
    struct tensor *w = arena_new(a, struct tensor);
    struct model *m = model_new(a, 17);
    uint32_t in[2];
    assert_true(tensor_from_doubles(DTYPE_FLOAT, dims, 2, values, a, w, &e));
    in[0] = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 2);
    in[1] = graph_add_initializer(m, m->graph, STR("w"), w);
    in[0] = graph_add_node(m, m->graph, "Add", in, 2, 1);
    graph_add_output(m->graph, graph_add_node(m, m->graph, "Relu", in, 1, 1));
    assert_true(model_finish(m, &e));
    return m;
}

static struct tcase *graph_case(struct arena *a)
{
    static const int64_t dims[] = {2, 3};
    static const double values[] = {1, 2, 3, 4, 5, 6};
    struct tcase *c = arena_new(a, struct tcase);
    struct err e = {0};
    c->graph = small_model(a);
    c->n_input_sets = 1;
    c->input_sets = arena_new(a, struct tensors);
    c->input_sets[0].n = 1;
    c->input_sets[0].at = arena_new(a, struct named_tensor);
    c->input_sets[0].at[0].name = STR("x");
    assert_true(
        tensor_from_doubles(DTYPE_FLOAT, dims, 2, values, a, &c->input_sets[0].at[0].tensor, &e));
    c->from = (struct provenance){.generator = "mutate",
                                  .version = 1,
                                  .seed = UINT64_MAX,
                                  .index = 12,
                                  .edits = STR("LA add node=1\nPM \"x\"\n")};
    case_seal(c);
    return c;
}

static void graph_cases_come_back_with_their_id(void **state)
{
    struct arena a;
    struct err e = {0};
    const char *root;
    struct tcase *back;
    (void)state;
    arena_init(&a);
    assert_true(file_make_temp_dir(&a, "assay-test", &root, &e));
    const char *dir = path_join(&a, root, "case");
    struct tcase *c = graph_case(&a);
    for (int again = 0; again < 2; again++) { /* the second time over the first */
        if (!case_write(dir, c, &e))
            fail_msg("%s", e.text);
    }
    if (!case_read(dir, &a, &back, &e))
        fail_msg("%s", e.text);
    assert_true(hash_eq(&back->id, &c->id));
    assert_true(hash_eq(&back->content, &c->content));
    assert_true(back->from.seed == UINT64_MAX && back->from.index == 12);
    assert_true(str_eq(back->from.edits, c->from.edits));
    assert_true(
        tensor_same_bits(&back->input_sets[0].at[0].tensor, &c->input_sets[0].at[0].tensor));
    assert_int_equal(file_stat(path_join(&a, root, "case.partial")).kind, FILE_MISSING);
    assert_int_equal(file_stat(path_join(&a, root, "case.old")).kind, FILE_MISSING);
    assert_true(file_remove_tree(root, &e));
    arena_done(&a);
}

static void parents_come_back_beside_their_case(void **state)
{
    struct arena a;
    struct err e = {0};
    const char *root;
    struct tcase *back;
    (void)state;
    arena_init(&a);
    assert_true(file_make_temp_dir(&a, "assay-test", &root, &e));
    const char *dir = path_join(&a, root, "case");
    for (int kept = 0; kept < 2; kept++) { /* the second time over the first */
        struct tcase *c = graph_case(&a);
        c->preserves_function = true;
        c->parent = kept ? small_model(&a) : NULL;
        case_seal(c);
        if (!case_write(dir, c, &e) || !case_read(dir, &a, &back, &e))
            fail_msg("%s", e.text);
        assert_true(hash_eq(&back->id, &c->id));
        assert_int_equal(back->parent != NULL, kept);
    }
    struct hash written = model_hash(small_model(&a)), read = model_hash(back->parent);
    assert_true(hash_eq(&written, &read));
    assert_true(file_remove_tree(root, &e));
    arena_done(&a);
}

static void a_changed_case_is_refused(void **state)
{
    struct arena a;
    struct err e = {0};
    const char *root;
    struct tcase *back;
    struct str text;
    (void)state;
    arena_init(&a);
    assert_true(file_make_temp_dir(&a, "assay-test", &root, &e));
    const char *dir = path_join(&a, root, "case");
    assert_true(case_write(dir, graph_case(&a), &e));
    const char *json = path_join(&a, dir, "case.json");
    assert_true(file_read(json, 1 << 20, &a, &text, &e));
    size_t at = str_find(text, STR("\"12\""));
    assert_true(at < text.n);
    char *changed = str_dup(&a, text);
    changed[at + 1] = '9';
    assert_true(file_write(json, changed, text.n, &e));
    assert_false(case_read(dir, &a, &back, &e));
    assert_int_equal(e.code, ERR_DATA);
    assert_non_null(strstr(e.text, dir));
    assert_true(file_remove_tree(root, &e));
    arena_done(&a);
}

static void program_cases_come_back(void **state)
{
    struct arena a;
    struct err e = {0};
    const char *root;
    struct tcase *back;
    struct program p = {.source = STR("import torch\nprint(torch.ones(2))\n"),
                        .framework = STR("torch"),
                        .entry = STR("main")};
    struct tcase c = {.kind = CASE_PROGRAM, .program = &p, .lane = LANE_VALUES};
    (void)state;
    arena_init(&a);
    struct named_tensor weight = {STR("w"), tensor_scalar_double(DTYPE_FLOAT, 3, &a)};
    p.weights = (struct tensors){&weight, 1};
    c.from.generator = "diffuse";
    case_seal(&c);
    assert_true(file_make_temp_dir(&a, "assay-test", &root, &e));
    const char *dir = path_join(&a, root, "case");
    assert_true(case_write(dir, &c, &e));
    if (!case_read(dir, &a, &back, &e))
        fail_msg("%s", e.text);
    assert_true(hash_eq(&back->id, &c.id));
    assert_true(str_eq(back->program->source, p.source));
    assert_true(str_is(back->program->entry, "main") && back->program->weights.n == 1);
    assert_true(tensor_get_double(&back->program->weights.at[0].tensor, 0) == 3);
    assert_int_equal(back->lane, LANE_VALUES);
    assert_true(file_remove_tree(root, &e));
    arena_done(&a);
}

static void missing_folders_are_named(void **state)
{
    struct arena a;
    struct err e = {0};
    struct tcase *back;
    (void)state;
    arena_init(&a);
    assert_false(case_read("/no/such/folder", &a, &back, &e));
    assert_int_equal(e.code, ERR_DATA);
    assert_non_null(strstr(e.text, "/no/such/folder"));
    arena_done(&a);
}

static void observations_come_back_with_traits_and_tensors(void **state)
{
    struct arena a;
    struct err e = {0};
    const char *root;
    struct target_traits traits = {.int_overflow = INT_OVERFLOW_SATURATES, .largest_opset = 23};
    struct observation o = {.input_set = 1, .repeat = 2, .variant = VARIANT_EXPOSED}, back;
    (void)state;
    arena_init(&a);
    for (int d = 0; d < DTYPE_COUNT; d++)
        traits.computes[d] = (enum dtype)d;
    traits.computes[DTYPE_DOUBLE] = DTYPE_FLOAT;
    struct target_id runner = {.engine = STR("ort"), .version = STR("1.31.1"), .n_threads = 1};
    o.target = (struct target_id){.engine = STR("openvino"),
                                  .version = STR("2026.4.1"),
                                  .mode = STR("cpu"),
                                  .family = STR("openvino"),
                                  .n_threads = 2,
                                  .traits = &traits,
                                  .runner = &runner,
                                  .is_witness = true,
                                  .mode_rank = 3};
    o.outcome = OUTCOME_SIGNAL;
    o.signal = 11;
    o.usage = (struct usage){123, 45, UINT64_MAX};
    o.message =
        (struct message){STR("line 1\nline 2"), STR("RuntimeError"), STR("f\ng"), RAISED_BY_NATIVE};
    o.rewrites = STR("Conv 3\n");
    o.outputs.n = 1;
    o.outputs.at = arena_new(&a, struct named_tensor);
    o.outputs.at[0].name = STR("y");
    o.outputs.at[0].tensor = tensor_scalar_double(DTYPE_BFLOAT16, 1.5, &a);
    assert_true(file_make_temp_dir(&a, "assay-test", &root, &e));
    const char *dir = path_join(&a, root, "o");
    assert_true(observation_write(dir, &o, &e));
    if (!observation_read(dir, &a, &back, &e))
        fail_msg("%s", e.text);
    assert_int_equal(back.outcome, OUTCOME_SIGNAL);
    assert_int_equal(back.variant, VARIANT_EXPOSED);
    assert_true(back.target.runner && str_is(back.target.runner->engine, "ort"));
    assert_null(back.target.runner->traits);
    assert_true(back.target.is_witness && !back.target.runner->is_witness);
    assert_int_equal(back.target.mode_rank, 3);
    assert_int_equal(back.target.traits->computes[DTYPE_DOUBLE], DTYPE_FLOAT);
    assert_int_equal(back.target.traits->computes[DTYPE_INT64], DTYPE_INT64);
    assert_int_equal(back.target.traits->int_overflow, INT_OVERFLOW_SATURATES);
    assert_true(back.usage.peak_bytes == UINT64_MAX);
    assert_true(str_eq(back.message.stack, o.message.stack));
    assert_int_equal(back.message.raised_by, RAISED_BY_NATIVE);
    assert_true(tensor_same_bits(&back.outputs.at[0].tensor, &o.outputs.at[0].tensor));
    assert_true(file_remove_tree(root, &e));
    arena_done(&a);
}

static void verdicts_survive_json_with_non_finite_numbers(void **state)
{
    struct arena a;
    struct err e = {0};
    struct strbuf b = {0};
    const struct json *j;
    struct verdict v = {.oracle = "reference",
                        .decision = DECISION_FAIL,
                        .wrong = WRONG_INF,
                        .measure = INFINITY,
                        .threshold = 12,
                        .expected = 1.25,
                        .observed = NAN},
                   back;
    (void)state;
    arena_init(&a);
    v.target.engine = v.target.family = STR("ort");
    v.place = (struct place){STR("y"), STR("n"), STR("Conv"), SIZE_MAX};
    v.claim = STR("it is wrong");
    struct json_out w = json_open(&b, JSON_COMPACT);
    verdict_to_json(&v, &w);
    assert_true(json_parse(strbuf_str(&b), "v", &a, &j, &e));
    if (!verdict_from_json(j, &a, &back, &e))
        fail_msg("%s", e.text);
    assert_string_equal(back.oracle, "reference");
    assert_int_equal(back.decision, DECISION_FAIL);
    assert_int_equal(back.wrong, WRONG_INF);
    assert_true(isinf(back.measure) && isnan(back.observed) && back.expected == 1.25);
    assert_true(back.place.element == SIZE_MAX && str_is(back.place.op_type, "Conv"));
    strbuf_done(&b);
    arena_done(&a);
}

/* The evidence of the judged defects stays readable, and each case keeps its id. */
static void cases_of_defects_are_read(void **state)
{
    struct arena names, a;
    struct file_list folders;
    struct err e = {0};
    (void)state;
    arena_init(&names);
    arena_init(&a);
    assert_true(file_list_dir(ASSAY_SOURCE_DIR "/defects", &names, &folders, &e));
    assert_true(folders.n > 100);
    for (size_t i = 0; i < folders.n; i++) {
        const char *dir = path_join(&names, ASSAY_SOURCE_DIR "/defects", folders.names[i]);
        struct tcase *c;
        arena_reset(&a);
        if (!case_read(dir, &a, &c, &e))
            fail_msg("%s", e.text);
    }
    arena_done(&a);
    arena_done(&names);
}

/* A weight of 1 MiB becomes a file of its own, which parent and child share. */
static void large_weights_are_files_of_their_own(void **state)
{
    static const int64_t dims[] = {1 << 18};
    struct arena a;
    struct err e = {0};
    const char *root;
    struct tcase *back;
    struct file_list files;
    void *data;
    (void)state;
    arena_init(&a);
    assert_true(file_make_temp_dir(&a, "assay-test", &root, &e));
    struct tensor *w = arena_new(&a, struct tensor);
    assert_true(tensor_make(DTYPE_FLOAT, dims, 1, &a, w, &data, &e));
    tensor_put_double(DTYPE_FLOAT, data, 7, 3);
    struct model *m = model_new(&a, 17);
    uint32_t in = graph_add_initializer(m, m->graph, STR("w"), w);
    graph_add_output(m->graph, graph_add_node(m, m->graph, "Relu", &in, 1, 1));
    assert_true(model_finish(m, &e));
    struct tcase c = {.kind = CASE_GRAPH, .graph = m, .parent = m, .from = {.generator = "test"}};
    case_seal(&c);
    const char *dir = path_join(&a, root, "case");
    if (!case_write(dir, &c, &e) || !case_read(dir, &a, &back, &e))
        fail_msg("%s", e.text);
    assert_true(hash_eq(&c.id, &back->id));
    assert_true(file_list_dir(path_join(&a, dir, CASE_WEIGHTS_DIR), &a, &files, &e));
    assert_int_equal(files.n, 1);
    assert_true(file_stat(path_join(&a, dir, "model.onnx")).size < 1000);
    assert_true(file_remove_tree(root, &e));
    arena_done(&a);
}

TEST_SUITE(case_disk, TEST(large_weights_are_files_of_their_own),
           TEST(graph_cases_come_back_with_their_id), TEST(parents_come_back_beside_their_case),
           TEST(a_changed_case_is_refused), TEST(program_cases_come_back),
           TEST(cases_of_defects_are_read), TEST(missing_folders_are_named),
           TEST(observations_come_back_with_traits_and_tensors),
           TEST(verdicts_survive_json_with_non_finite_numbers))
