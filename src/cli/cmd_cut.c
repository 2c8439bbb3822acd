/* assay cut: writes the part of a model that a node needs as a case folder, for run and reduce. */
#include "base/file.h"
#include "base/path.h"
#include "case/disk.h"
#include "case/inputs.h"
#include "case/subject.h"
#include "cli/case_run.h"
#include "cli/command.h"
#include "reduce/cut.h"

static bool find_node(const struct settings *s, const struct graph *g, uint32_t *out, struct err *e)
{
    const char *name = settings_text(s, SETTING_cut_at);
    if (!name)
        return err_set(
            e, ERR_USAGE,
            "--at NODE is expected: a node's name, the name of a value that it makes, or "
            "#0 to #%zu; assay run names the first bad node",
            g->nodes.n - 1);
    *out = cut_find_node(g, str_of(name));
    return *out != NODE_NONE ||
           err_set(e, ERR_USAGE,
                   "--at: no node is named %s, and none makes a value of that name; the graph has "
                   "nodes #0 to #%zu",
                   name, g->nodes.n - 1);
}

/* Makes values for the inputs that have none yet. */
static bool fill(const struct settings *s, struct cut *part, size_t *n_made, struct err *e)
{
    struct tensors made;
    struct rng r;
    rng_init(&r, (uint64_t)settings_int(s, SETTING_seed), RNG_INPUT, 0);
    if (!inputs_generate(part->m, &(struct input_options){INPUT_NORMAL, 2}, &r, s->arena, &made, e))
        return false;
    *n_made = 0;
    for (size_t i = 0; i < made.n; i++) {
        const struct tensor *known = tensors_find(&part->inputs, made.at[i].name);
        if (known)
            made.at[i].tensor = *known;
        *n_made += !known;
    }
    part->inputs = made;
    return true;
}

static void print_result(const struct settings *s, const struct cut *part, size_t n_before,
                         size_t n_made, const char *to)
{
    struct strbuf text = {0};
    const size_t n_nodes = part->m->graph->nodes.n;
    if (settings_want_json(s)) {
        struct json_out w = json_open(&text, JSON_PRETTY);
        json_begin_object(&w);
        json_pair_u64(&w, "nodes_before", n_before);
        json_pair_u64(&w, "nodes", n_nodes);
        json_pair_u64(&w, "inputs", part->inputs.n);
        json_pair_u64(&w, "inputs_made", n_made);
        json_pair_cstr(&w, "folder", to);
        json_end_object(&w);
        out_json(&text);
        return;
    }
    out_putf("%zu nodes -> %zu: %s\n", n_before, n_nodes, to);
    if (n_made)
        out_line(
            str_of(arena_printf(s->arena,
                                "%zu of %zu inputs got values of the seed, since the reference "
                                "computes none (" STR_FMT ")",
                                n_made, part->inputs.n, STR_ARG(part->why_open))));
    out_putf("assay run %s   runs it\n", to);
}

static const char *default_folder(const char *path, struct arena *a)
{
    struct str stem = str_of(path);
    stem.n -= str_ends(stem, STR(".onnx")) ? strlen(".onnx") : 0;
    while (stem.n > 1 && str_ends(stem, STR("/")))
        stem.n--;
    return arena_printf(a, STR_FMT "-cut", STR_ARG(stem));
}

static bool cut(const struct settings *s, const struct tcase *c, const char *to, struct err *e)
{
    struct cut_options o = {.m = case_model(c), .inputs = &c->input_sets[0], .depth = CUT_ALL};
    struct cut part;
    size_t n_made;
    if (settings_given(s, SETTING_cut_depth))
        o.depth = (uint32_t)settings_int(s, SETTING_cut_depth);
    if (!find_node(s, case_model(c)->graph, &o.node, e) || !cut_graph(&o, s->arena, &part, e) ||
        !fill(s, &part, &n_made, e))
        return false;
    const struct provenance from = {.generator = "cut", .parent = c->content};
    if (!case_write(to, case_of_graph(part.m, &part.inputs, 1, from, s->arena), e))
        return false;
    print_result(s, &part, case_model(c)->graph->nodes.n, n_made, to);
    return true;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct tcase *c;
    (void)exit_code;
    if (s->n_args != 1)
        return err_set(e, ERR_USAGE, "one model or case folder is expected, got %zu arguments",
                       s->n_args);
    const char *to = settings_text(s, SETTING_write_to);
    to = to ? to : default_folder(s->args[0], s->arena);
    if (!case_run_load(s, s->args[0], &c, e))
        return false;
    if (!case_model(c))
        return err_set(e, ERR_USAGE, "%s: a model is expected, not a program", s->args[0]);
    return cut(s, c, to, e) || err_wrap(e, "%s", s->args[0]);
}

const struct command command_cut = {
    .name = "cut",
    .arguments = "MODEL.onnx|CASE",
    .summary = "write the part of a model that one node needs, with its inputs",
    .details = "The node's outputs become the outputs; with --depth N only N nodes before it are "
               "kept, and what they read becomes inputs\n"
               "that hold what the reference computed. For models that are too large to hunt or to "
               "reduce whole. The result is a case\n"
               "folder (model.onnx and inputs), which run and reduce take.",
    .examples = "  assay cut model.onnx --at /layer3/LayerNormalization --depth 4 --out part\n"
                "  assay run part --target ort",
    .run = run,
};
