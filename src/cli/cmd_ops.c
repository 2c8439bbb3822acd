/* assay ops: the operator table as it is: what the standard says, what assay has, what mutation
 * does with it. */
#include "base/vec.h"
#include "cli/command.h"
#include "cli/ops_reach_p.h"
#include "emit/emit.h"
#include "generate/zoo.h"
#include "onnx/op.h"

enum { FRAMEWORKS_MAX = 16 };

static const char *const exactness_names[] = {"exact", "rounded", "switch", "random"};

/* What the standard says of one operator, over all its versions. */
struct standing {
    const struct op *op;
    VEC(int) versions;             /* since_version, ascending */
    const struct op_fact *newest;  /* NULL: none */
    uint32_t dtypes;               /* of any input of the newest, or of its outputs */
    struct zoo_operator mutations; /* how mutation meets it */
};

static struct standing look_at(const struct op *op, struct arena *a)
{
    size_t n;
    const struct op_fact *facts = op_fact_list(&n);
    struct standing s = {.op = op, .mutations = zoo_operator(op->name)};
    for (size_t i = 0; i < n; i++) {
        if (strcmp(facts[i].name, op->name) != 0 || facts[i].domain[0])
            continue;
        vec_push(&s.versions, a, facts[i].since_version);
        s.newest = &facts[i];
    }
    for (int i = 0; s.newest && i < s.newest->n_input_facts; i++)
        s.dtypes |= s.newest->inputs[i].dtypes;
    for (int i = 0; s.newest && !s.newest->n_input_facts && i < s.newest->n_output_facts; i++)
        s.dtypes |= s.newest->outputs[i].dtypes;
    return s;
}

/* The names of a set of dtypes, in the order of the standard's numbers. */
static size_t names_of(uint32_t dtypes, const char *out[DTYPE_COUNT])
{
    size_t n = 0;
    for (int t = 1; t < DTYPE_COUNT; t++)
        if (dtypes & dtype_bit((enum dtype)t))
            out[n++] = dtype_name((enum dtype)t);
    return n;
}

static size_t mutations_of(const struct standing *s, const char *out[2])
{
    size_t n = 0;
    if (s->mutations.has_layer)
        out[n++] = "layer";
    if (s->mutations.has_corners)
        out[n++] = "corners";
    return n;
}

/* The frameworks whose programs can hold the operator. */
static size_t frameworks_of(const struct standing *s, const char *out[FRAMEWORKS_MAX])
{
    size_t n = 0;
    for (size_t i = 0; i < FRAMEWORKS_MAX && emit_framework_name(i); i++)
        if (emit_has_operator(str_of(emit_framework_name(i)), str_of(s->op->name)))
            out[n++] = emit_framework_name(i);
    return n;
}

static void list_to_json(const char *key, const char *const *names, size_t n, struct json_out *w)
{
    json_key(w, key);
    json_begin_array(w);
    for (size_t i = 0; i < n; i++)
        json_put_cstr(w, names[i]);
    json_end_array(w);
}

static void attributes_to_json(const struct op_fact *fact, struct json_out *w)
{
    json_key(w, "attributes");
    json_begin_array(w);
    for (int i = 0; fact && i < fact->n_attrs; i++) {
        json_begin_object(w);
        json_pair_cstr(w, "name", fact->attrs[i].name);
        json_pair_bool(w, "required", fact->attrs[i].required);
        json_end_object(w);
    }
    json_end_array(w);
}

static void op_to_json(const struct standing *s, struct json_out *w)
{
    const char *dtypes[DTYPE_COUNT], *mutations[2], *frameworks[FRAMEWORKS_MAX];
    json_begin_object(w);
    json_pair_cstr(w, "name", s->op->name);
    json_key(w, "versions");
    json_begin_array(w);
    for (size_t i = 0; i < s->versions.n; i++)
        json_put_i64(w, s->versions.at[i]);
    json_end_array(w);
    list_to_json("dtypes", dtypes, names_of(s->dtypes, dtypes), w);
    attributes_to_json(s->newest, w);
    json_pair_bool(w, "shape_function", true); /* each row of ops.def names both */
    json_pair_bool(w, "kernel", true);
    json_pair_cstr(w, "exactness", exactness_names[s->op->exactness]);
    json_pair_bool(w, "certified", s->op->certified);
    list_to_json("mutations", mutations, mutations_of(s, mutations), w);
    list_to_json("emission", frameworks, frameworks_of(s, frameworks), w);
    json_end_object(w);
}

/* "torch,jax"; "-" where there is none. */
static struct str joined(const char *const *names, size_t n, struct arena *a)
{
    struct strbuf text = {0};
    for (size_t i = 0; i < n; i++)
        strbuf_printf(&text, "%s%s", i ? "," : "", names[i]);
    struct str list = n ? strbuf_dup(&text, a) : STR("-");
    strbuf_done(&text);
    return list;
}

static void add_list(struct strbuf *out, const char *what, const char *const *names, size_t n)
{
    strbuf_printf(out, "%s", what);
    for (size_t i = 0; i < n; i++)
        strbuf_printf(out, " %s", names[i]);
    strbuf_adds(out, n ? "\n" : " -\n");
}

/* One line an operator. */
static void op_line(const struct standing *s, struct arena *a, struct strbuf *out)
{
    const char *dtypes[DTYPE_COUNT], *mutations[2], *frameworks[FRAMEWORKS_MAX];
    struct str mutates = joined(mutations, mutations_of(s, mutations), a);
    struct str emitted = joined(frameworks, frameworks_of(s, frameworks), a);
    strbuf_printf(out,
                  "%-28s shape %-3s kernel %-3s %-8s %-9s dtypes %-2zu mutations %-14.*s emission "
                  "%-20.*s",
                  s->op->name, "yes", "yes", exactness_names[s->op->exactness],
                  s->op->certified ? "certified" : "", names_of(s->dtypes, dtypes), (int)mutates.n,
                  mutates.at, (int)emitted.n, emitted.at);
    for (size_t i = 0; i < s->versions.n; i++)
        strbuf_printf(out, " %d", s->versions.at[i]);
    strbuf_addc(out, '\n');
}

/* Further lines for an operator that is named on the command line. */
static void op_details(const struct standing *s, struct arena *a, struct strbuf *out)
{
    const char *dtypes[DTYPE_COUNT];
    int n = s->newest ? s->newest->n_attrs : 0;
    const char **attributes = arena_new_array(a, const char *, (size_t)n);
    for (int i = 0; i < n; i++)
        attributes[i] = s->newest->attrs[i].required
                            ? arena_printf(a, "%s (required)", s->newest->attrs[i].name)
                            : s->newest->attrs[i].name;
    add_list(out, "    dtypes    ", dtypes, names_of(s->dtypes, dtypes));
    add_list(out, "    attributes", attributes, (size_t)n);
}

/* The operators that were named, or all. */
static bool choose(const struct settings *s, const struct op ***out, size_t *n, struct err *e)
{
    size_t n_ops;
    const struct op *ops = op_list(&n_ops);
    const char **known = arena_new_array(s->arena, const char *, n_ops);
    *out = arena_new_array(s->arena, const struct op *, s->n_args ? s->n_args : n_ops);
    *n = 0;
    for (size_t i = 0; i < n_ops; i++) {
        known[i] = ops[i].name;
        if (!s->n_args)
            (*out)[(*n)++] = &ops[i];
    }
    for (size_t i = 0; i < s->n_args; i++) {
        const struct op *op = op_find(STR(""), str_of(s->args[i]));
        const char *near = str_nearest(str_of(s->args[i]), known, n_ops);
        if (!op)
            return err_set(e, ERR_USAGE, "no operator \"%s\"%s%s%s", s->args[i],
                           near ? ", did you mean \"" : "; assay ops lists them", near ? near : "",
                           near ? "\"?" : "");
        (*out)[(*n)++] = op;
    }
    return true;
}

static void print_json(const struct op *const *ops, size_t n, struct arena *a)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    json_begin_array(&w);
    for (size_t i = 0; i < n; i++) {
        struct standing standing = look_at(ops[i], a);
        op_to_json(&standing, &w);
    }
    json_end_array(&w);
    out_json(&text);
}

static void print_text(const struct op *const *ops, size_t n, bool in_detail, struct arena *a)
{
    struct strbuf text = {0};
    for (size_t i = 0; i < n; i++) {
        struct standing standing = look_at(ops[i], a);
        op_line(&standing, a, &text);
        if (in_detail)
            op_details(&standing, a, &text);
    }
    if (!in_detail)
        strbuf_printf(&text, "%zu operators, %zu with shape function and kernel\n", n, n);
    out_put(strbuf_str(&text));
    strbuf_done(&text);
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    const struct op **ops;
    size_t n;
    (void)exit_code;
    if (!choose(s, &ops, &n, e))
        return false;
    if (settings_flag(s, SETTING_reach))
        return ops_reach(s, ops, n, e);
    if (settings_want_json(s))
        print_json(ops, n, s->arena);
    else
        print_text(ops, n, s->n_args > 0, s->arena);
    return true;
}

const struct command command_ops = {
    .name = "ops",
    .arguments = "[OPERATOR...]",
    .summary =
        "print the operator table: versions, dtypes, shape function, kernel, mutations, emission",
    .details =
        "Each line: shape function and kernel, exactness, certification, how many dtypes the "
        "newest version takes, what\n"
        "mutation does with it (layer: it is added to graphs; corners: corner values of its "
        "attributes are tried), the\n"
        "frameworks whose programs can hold it (assay emit), the versions. Named operators are "
        "shown with their dtypes and\n"
        "attributes; --json has all of it for each.\n"
        "--reach generates cases as a hunt does, without engines, or with --out takes those of a "
        "campaign, and prints how much\nof what the standard allows they meet: "
        "values of attributes, optional inputs, dtypes, ranks, sizes, forms of parameters, "
        "neighbours. --verbose lists each cell\n"
        "that is not met, --json all of it; named operators are counted alone.",
    .examples = "  assay ops\n  assay ops Conv Resize\n  assay ops --json\n  assay ops --reach -n "
                "100000\n  assay ops --reach --out nightly",
    .run = run,
};
