/* assay ops: the operator table as it is. */
#include "cli/command.h"
#include "onnx/op.h"

static const char *const exactness_names[] = {"exact", "rounded", "switch", "random"};

/* since_versions of the operator's facts: "1 6 7 13 14" */
static void add_versions(const char *name, const struct op_fact *facts, size_t n_facts,
                         struct strbuf *out)
{
    const char *gap = "";
    for (size_t i = 0; i < n_facts; i++) {
        if (strcmp(facts[i].name, name) != 0 || facts[i].domain[0])
            continue;
        strbuf_printf(out, "%s%d", gap, facts[i].since_version);
        gap = " ";
    }
}

static void op_to_json(const struct op *op, const struct strbuf *versions, struct json_out *w)
{
    json_begin_object(w);
    json_pair_cstr(w, "name", op->name);
    json_pair_str(w, "versions", strbuf_str(versions));
    json_pair_bool(w, "shape_function", op->infer != NULL);
    json_pair_bool(w, "kernel", op->kernel != NULL);
    json_pair_cstr(w, "exactness", exactness_names[op->exactness]);
    json_pair_bool(w, "certified", op->certified);
    json_end_object(w);
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    size_t n_ops, n_facts, n_supported = 0;
    const struct op *ops = op_list(&n_ops);
    const struct op_fact *facts = op_fact_list(&n_facts);
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    bool as_json = settings_want_json(s);
    (void)exit_code;
    if (s->n_args)
        return err_set(e, ERR_USAGE, "no arguments are expected, got \"%s\"", s->args[0]);
    if (as_json)
        json_begin_array(&w);
    for (size_t i = 0; i < n_ops; i++) {
        struct strbuf versions = {0};
        add_versions(ops[i].name, facts, n_facts, &versions);
        n_supported += ops[i].infer && ops[i].kernel;
        if (as_json)
            op_to_json(&ops[i], &versions, &w);
        else
            strbuf_printf(&text, "%-28s shape %-3s kernel %-3s %-8s %-9s %s\n", ops[i].name,
                          ops[i].infer ? "yes" : "no", ops[i].kernel ? "yes" : "no",
                          exactness_names[ops[i].exactness], ops[i].certified ? "certified" : "",
                          versions.at ? versions.at : "");
        strbuf_done(&versions);
    }
    if (as_json)
        json_end_array(&w);
    else
        strbuf_printf(&text, "%zu operators, %zu with shape function and kernel", n_ops,
                      n_supported);
    strbuf_addc(&text, '\n');
    out_put(strbuf_str(&text));
    strbuf_done(&text);
    return true;
}

const struct command command_ops = {
    .name = "ops",
    .arguments = "",
    .summary = "print the operator table: versions, shape function, kernel, exactness",
    .run = run,
};
