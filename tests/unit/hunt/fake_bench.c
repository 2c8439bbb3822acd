#include "unit/hunt/fake_bench.h"

#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "os/process.h"
#include "unit/test.h"

void check_ok(bool ok, const struct err *e)
{
    if (!ok)
        fail_msg("%s", e->text);
}

static const char *family_of(const struct fake_mode *mode)
{
    return mode->family ? mode->family : "fake";
}

static void install_family(struct fake_bench *b, const char *family, struct target_mode *modes)
{
    static const struct target_opset opset = {TEXT("1"), 28};
    static const char *const roots[] = {"/usr"};
    struct target_description *d = &b->descriptions[b->n_families];
    struct target_installation *i = &b->installations[b->n_families];
    const char *python;
    struct err e;
    assert_true(b->n_families++ < FAKE_FAMILIES);
    check_ok(process_find_program("/usr/bin/python3", &b->arena, &python, &e), &e);
    *d = (struct target_description){.engine = str_of(family),
                                     .family = str_of(family),
                                     .worker = STR("fake"),
                                     .accepts_graphs = true,
                                     .fork = TARGET_FORK_BATCH,
                                     .n_tasks = 1,
                                     .opsets = &opset,
                                     .n_opsets = 1,
                                     .modes = modes};
    *i = (struct target_installation){.description = d,
                                      .version = STR("1"),
                                      .python = str_of(python),
                                      .roots = roots,
                                      .n_roots = 1,
                                      .traits = {.largest_opset = 28}};
}

static void add_mode(struct fake_bench *b, const struct fake_mode *from, struct target_mode *mode)
{
    struct err e;
    struct target_installation *i = &b->installations[b->n_families - 1];
    *mode = (struct target_mode){.name = str_of(from->name),
                                 .n_threads = from->n_threads ? from->n_threads : 1,
                                 .is_default = !from->is_rare,
                                 .is_base = strcmp(from->name, "off") == 0};
    check_ok(json_parse(str_of(from->options), "options", &b->arena, &mode->options, &e), &e);
    b->descriptions[b->n_families - 1].n_modes++;
    if (!from->runs)
        return;
    struct target *t = &b->targets[b->n_targets];
    *t = (struct target){.id = {.engine = i->description->engine,
                                .version = i->version,
                                .mode = mode->name,
                                .family = i->description->family,
                                .n_threads = mode->n_threads,
                                .traits = &i->traits,
                                .is_base = mode->is_base},
                         .installation = i,
                         .mode = mode};
    t->one_in = 1;
    b->list[b->n_targets++] = t;
}

void fake_bench_open(struct fake_bench *b, const struct fake_mode *modes, size_t n_modes)
{
    struct err e;
    struct runner *r = &b->runner;
    *b = (struct fake_bench){0};
    arena_init(&b->arena);
    assert_true(n_modes <= FAKE_MODES);
    for (size_t i = 0; i < n_modes; i++) {
        if (i == 0 || strcmp(family_of(&modes[i]), family_of(&modes[i - 1])) != 0)
            install_family(b, family_of(&modes[i]), &b->modes[i]);
        add_mode(b, &modes[i], &b->modes[i]);
    }
    check_ok(file_make_temp_dir(&b->arena, "assay-home", &b->home, &e), &e);
    check_ok(file_make_temp_dir(&b->arena, "assay-out", &b->out, &e), &e);
    arena_init(&r->arena);
    check_ok(loop_open(&r->loop, &e), &e);
    const struct pool_options o = {.loop = r->loop,
                                   .home = b->home,
                                   .worker_path =
                                       path_join(&b->arena, ASSAY_SOURCE_DIR, "tests/fake"),
                                   .deadline_ms = 120000};
    check_ok(pool_open(&o, &r->pool, &e), &e);
    r->targets = r->always = (struct target_list){b->list, b->n_targets};
    r->n_repeats = 1;
    r->judge.counts = &r->counts;
}

void fake_bench_close(struct fake_bench *b)
{
    struct err e;
    runner_close(&b->runner);
    check_ok(file_remove_tree(b->home, &e), &e);
    check_ok(file_remove_tree(b->out, &e), &e);
    arena_done(&b->arena);
}

struct tcase *fake_chain(const char *const *op_types, size_t n, struct arena *a)
{
    static const int64_t dims[] = {2};
    static const double x[] = {1, 2};
    struct err e;
    struct model *m = model_new(a, 20);
    struct named_tensor *in = arena_new(a, struct named_tensor);
    struct tensors *set = arena_new(a, struct tensors);
    struct tcase *c = arena_new(a, struct tcase);
    uint32_t v = graph_add_input(m, m->graph, STR("x"), DTYPE_FLOAT, dims, 1);
    for (size_t i = 0; i < n; i++) {
        v = graph_add_node(m, m->graph, op_types[i], &v, 1, 1);
        m->graph->values.at[v].dtype = DTYPE_FLOAT;
        m->graph->values.at[v].shape = shape_from_dims(dims, 1, a);
    }
    graph_add_output(m->graph, v);
    check_ok(model_finish(m, &e), &e);
    in->name = STR("x");
    check_ok(tensor_from_doubles(DTYPE_FLOAT, dims, 1, x, a, &in->tensor, &e), &e);
    *set = (struct tensors){in, 1};
    *c = (struct tcase){.kind = CASE_GRAPH,
                        .graph = m,
                        .input_sets = set,
                        .n_input_sets = 1,
                        .from = {.generator = "test"}};
    case_seal(c);
    return c;
}
