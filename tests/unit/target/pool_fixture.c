#include "pool_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "os/inside.h"
#include "target/environment.h"
#include "target/worker.h"
#include "unit/test.h"

static void check(bool ok, const struct err *e)
{
    if (!ok)
        fail_msg("%s", e->text);
}

void fixture_open_pool(struct fixture *f, const struct pool_options *wanted)
{
    struct pool_options options = *wanted;
    struct err e;
    *f = (struct fixture){.opset = 23};
    arena_init(&f->arena);
    check(file_make_temp_dir(&f->arena, "assay-home", &f->home, &e), &e);
    check(loop_open(&f->loop, &e), &e);
    options.loop = f->loop;
    options.home = f->home;
    check(pool_open(&options, &f->pool, &e), &e);
    pool_batch_init(&f->batch, f->pool);
}

void fixture_open(struct fixture *f, const char *worker_path, uint64_t memory_bytes,
                  int64_t deadline_ms)
{
    const struct pool_options options = {.worker_path = worker_path,
                                         .memory_bytes = memory_bytes,
                                         .deadline_ms = deadline_ms ? deadline_ms : 120000};
    fixture_open_pool(f, &options);
}

void fixture_open_refreshing(struct fixture *f, const char *worker_path)
{
    const struct pool_options options = {
        .worker_path = worker_path, .deadline_ms = 120000, .batch = 1, .refresh_children = 1};
    fixture_open_pool(f, &options);
}

void fixture_close(struct fixture *f)
{
    struct err e;
    pool_batch_done(&f->batch);
    pool_close(f->pool);
    loop_close(f->loop);
    check(file_remove_tree(f->home, &e), &e);
    arena_done(&f->arena);
}

const char *fixture_engines_python(struct arena *a)
{
    const char *given = getenv("ASSAY_TEST_PYTHON");
    const char *path = given ? given : path_join(a, ASSAY_SOURCE_DIR, "build/env/bin/python");
    return file_stat(path).kind == FILE_REGULAR ? path : NULL;
}

bool fixture_target(struct fixture *f, const char *name, struct target_list *out)
{
    struct err e;
    struct targets all;
    struct target_installation installed;
    struct str engine = str_of(name);
    const char *python = fixture_engines_python(&f->arena);
    if (!python)
        return false;
    engine = str_sub(engine, 0, str_find_byte(engine, '/'));
    struct environment_options o = {
        .home = f->home, .name = str_dup(&f->arena, engine), .python = python};
    check(environment_add(&o, &f->arena, &installed, &e), &e);
    if (installed.description->work == TARGET_CONVERTS) {
        o.name = "ort";
        check(environment_add(&o, &f->arena, &installed, &e), &e);
    }
    check(targets_load(f->home, &f->arena, &all, &e), &e);
    check(targets_resolve(&all, name, &f->arena, out, &e), &e);
    return true;
}

struct tcase *fixture_case(struct fixture *f, const char *op_type, uint64_t index)
{
    static const int64_t dims[] = {2, 3};
    static const double values[] = {1, 2, 3, 4, 5, 6};
    struct err e;
    struct arena *a = &f->arena;
    struct model *m = model_new(a, 20);
    uint32_t x = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 2);
    uint32_t y = graph_add_node(m, m->graph, op_type, &x, 1, 1);
    m->graph->values.at[y].dtype = DTYPE_FLOAT;
    m->graph->values.at[y].shape = shape_from_dims(dims, 2, a);
    graph_add_output(m->graph, y);
    check(model_finish(m, &e), &e);
    struct named_tensor *input = arena_new(a, struct named_tensor);
    input->name = m->graph->values.at[m->graph->inputs.at[0]].name;
    check(tensor_from_doubles(DTYPE_FLOAT, dims, 2, values, a, &input->tensor, &e), &e);
    struct tensors *sets = arena_new(a, struct tensors);
    *sets = (struct tensors){input, 1};
    struct tcase *c = arena_new(a, struct tcase);
    *c = (struct tcase){.kind = CASE_GRAPH,
                        .graph = m,
                        .input_sets = sets,
                        .n_input_sets = 1,
                        .from = {.generator = "test", .index = index}};
    case_seal(c);
    return c;
}

struct tcase *fixture_typed_case(struct fixture *f, const char *op_type, enum dtype dtype,
                                 const int64_t *dims, uint32_t rank, const struct tensor *values,
                                 uint32_t n_inputs)
{
    struct arena *a = &f->arena;
    struct err e;
    struct model *m = model_new(a, f->opset);
    struct named_tensor *inputs = arena_new_array(a, struct named_tensor, n_inputs);
    uint32_t in[2];
    for (uint32_t i = 0; i < n_inputs; i++) {
        struct str name = str_of(arena_printf(a, "x%u", i));
        in[i] = graph_add_input(m, m->graph, name, dtype, dims, rank);
        inputs[i] = (struct named_tensor){name, values[i]};
    }
    uint32_t y = graph_add_node(m, m->graph, op_type, in, n_inputs, 1);
    m->graph->values.at[y].dtype = dtype;
    m->graph->values.at[y].shape = shape_from_dims(dims, rank, a);
    graph_add_output(m->graph, y);
    if (!model_finish(m, &e))
        fail_msg("%s", e.text);
    struct tensors *set = arena_new(a, struct tensors);
    *set = (struct tensors){inputs, n_inputs};
    struct tcase *c = arena_new(a, struct tcase);
    *c = (struct tcase){.kind = CASE_GRAPH,
                        .graph = m,
                        .input_sets = set,
                        .n_input_sets = 1,
                        .from = {.generator = "test", .index = (uint64_t)dtype}};
    case_seal(c);
    return c;
}

/* The test program started again is a native worker. */
int test_child(int argc, char **argv)
{
    int code;
    if (inside_main(argc, argv, &code))
        return code;
    if (argc == 4 && strcmp(argv[1], "worker") == 0 && strcmp(argv[2], "ort") == 0)
        return worker_ort_main(argv[3], WORKER_FD);
    return 99;
}
