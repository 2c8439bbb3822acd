/* Recognises the layout of an input folder by its files. */
#include "cli/model_inputs.h"

#include "base/file.h"
#include "base/log.h"
#include "base/path.h"
#include "base/vec.h"
#include "case/disk.h"
#include "case/inputs.h"
#include "case/npy.h"
#include "onnx/io.h"

/* input_<i>.pb in the order of the graph's inputs (the standard's node tests). */
static bool read_node_test(const char *dir, const struct model *m, struct arena *a,
                           struct tensors *out, struct err *e)
{
    const struct graph *g = m->graph;
    out->at = arena_new_array(a, struct named_tensor, g->inputs.n);
    for (size_t i = 0; i < g->inputs.n; i++) {
        const char *path = path_join(a, dir, arena_printf(a, "input_%zu.pb", i));
        struct str bytes;
        if (file_stat(path).kind == FILE_MISSING)
            return true;
        if (!file_read(path, TENSOR_BYTES_MAX, a, &bytes, e) ||
            !tensor_read_pb(bytes, a, &out->at[out->n], e))
            return err_wrap(e, "%s", path);
        out->at[out->n++].name = g->values.at[g->inputs.at[i]].name;
    }
    return true;
}

/* test_data_set_0, test_data_set_1, ... */
static bool read_data_sets(const char *dir, const struct model *m, struct arena *a,
                           struct input_sets *out, struct err *e)
{
    VEC(struct tensors) sets = {0};
    for (unsigned i = 0;; i++) {
        const char *set = path_join(a, dir, arena_printf(a, "test_data_set_%u", i));
        struct tensors inputs = {0};
        if (file_stat(set).kind != FILE_DIRECTORY)
            break;
        if (!read_node_test(set, m, a, &inputs, e))
            return false;
        vec_push(&sets, a, inputs);
    }
    *out = (struct input_sets){sets.at, sets.n};
    return true;
}

static bool read_case_folder(const char *dir, struct arena *a, struct input_sets *out,
                             struct err *e)
{
    struct tcase *c;
    if (!case_read(dir, a, &c, e))
        return false;
    if (c->n_input_sets == 0)
        return err_set(e, ERR_DATA, "%s: the case has no inputs", dir);
    *out = (struct input_sets){c->input_sets, c->n_input_sets};
    return true;
}

static bool is_there(const struct settings *s, const char *dir, const char *name,
                     enum file_kind kind)
{
    return file_stat(path_join(s->arena, dir, name)).kind == kind;
}

/* Leaves out files that are no input of the model, and names them. */
static void drop_strangers(const struct model *m, struct tensors *set)
{
    const struct graph *g = m->graph;
    size_t n = 0;
    for (size_t i = 0; i < set->n; i++) {
        struct strbuf name = {0};
        uint32_t v = graph_find_value(g, set->at[i].name);
        if (v != VALUE_NONE && g->values.at[v].origin == ORIGIN_INPUT) {
            set->at[n++] = set->at[i];
            continue;
        }
        strbuf_add_line(&name, set->at[i].name);
        log_warn("input %s: the model has no input of that name; the file is not used", name.at);
        strbuf_done(&name);
    }
    set->n = n;
}

static bool read_loose(const char *dir, const struct model *m, struct arena *a, struct tensors *out,
                       struct err *e)
{
    if (!tensors_read_loose(dir, a, out, e))
        return false;
    drop_strangers(m, out);
    return true;
}

bool model_inputs_find(const struct settings *s, const struct model *m, struct input_sets *out,
                       struct err *e)
{
    const char *dir = settings_text(s, SETTING_input);
    *out = (struct input_sets){arena_new(s->arena, struct tensors), 1};
    if (!dir) {
        struct rng r;
        rng_init(&r, (uint64_t)settings_int(s, SETTING_seed), RNG_INPUT, 0);
        return inputs_generate(m, &(struct input_options){INPUT_NORMAL, 2}, &r, s->arena, out->at,
                               e);
    }
    if (file_stat(dir).kind != FILE_DIRECTORY)
        return err_set(e, ERR_DATA, "%s: a folder of input tensors is expected", dir);
    if (is_there(s, dir, "case.json", FILE_REGULAR))
        return read_case_folder(dir, s->arena, out, e);
    if (is_there(s, dir, "test_data_set_0", FILE_DIRECTORY))
        return read_data_sets(dir, m, s->arena, out, e);
    if (is_there(s, dir, "input_0.pb", FILE_REGULAR))
        return read_node_test(dir, m, s->arena, out->at, e);
    return read_loose(dir, m, s->arena, out->at, e);
}
