/*
 * Decides which issues become seeds, and their features. A program that calls no optimiser has its
 * last call of the framework given to one: any function is a model. Must not know rules.
 */
#include "generate/corpus/repair.h"
#include "generate/diffuse/diffuse_p.h"
#include "python/edit.h"

#include <ctype.h>

static void add_name(struct str *names, size_t *n, struct str name, struct arena *a)
{
    for (size_t i = 0; i < *n; i++)
        if (str_eq(names[i], name))
            return;
    if (*n < FEATURE_NAMES_MAX && name.n)
        names[(*n)++] = (struct str){str_dup(a, name), name.n};
}

/* Types are what the arguments of the optimiser are made of. */
static void take_features(const struct reading *r, const struct issue_record *record,
                          struct arena *a, struct features *out)
{
    *out = (struct features){.category = record->category};
    for (size_t i = 0; i < r->parts.n; i++) {
        const struct program_part *p = &r->parts.at[i];
        if (p->kind == PART_OPTIMIZER)
            add_name(out->apis, &out->n_apis, p->symbol, a);
        else if (p->kind == PART_LAYER || p->kind == PART_INPUT)
            add_name(out->types, &out->n_types, p->symbol, a);
    }
    for (size_t i = 0; i < record->n_apis; i++)
        add_name(out->apis, &out->n_apis, record->apis[i], a);
}

/* "torch.nn.Linear, torch.nn.ReLU": symbols of parts of a kind, each once. */
static struct str list_parts(const struct reading *r, enum part_kind kind, struct arena *a)
{
    struct str names[FEATURE_NAMES_MAX];
    struct strbuf text = {0};
    size_t n = 0;
    for (size_t i = 0; i < r->parts.n; i++)
        if (r->parts.at[i].kind == kind)
            add_name(names, &n, r->parts.at[i].symbol, a);
    for (size_t i = 0; i < n; i++)
        strbuf_printf(&text, "%s" STR_FMT, i ? ", " : "", STR_ARG(names[i]));
    struct str made = strbuf_dup(&text, a);
    strbuf_done(&text);
    return made;
}

static struct str first_input(const struct reading *r, struct arena *a)
{
    const struct program_part *p = parts_next(&r->parts, PART_INPUT, NULL);
    struct str text = p ? tree_text(&r->tree, p->node) : STR("");
    return (struct str){str_dup(a, text), text.n};
}

/* What headers of prompts show. An issue's place is the module of its optimiser. */
static void describe(const struct reading *r, struct arena *a, struct diffuse_seed *s)
{
    const struct program_part *p = parts_next(&r->parts, PART_OPTIMIZER, NULL);
    struct str symbol = p ? p->symbol : STR("");
    size_t dot = symbol.n;
    while (dot > 0 && symbol.at[dot - 1] != '.')
        dot--;
    s->model = list_parts(r, PART_LAYER, a);
    if (!s->model.n)
        s->model = list_parts(r, PART_MODEL, a);
    s->api = list_parts(r, PART_OPTIMIZER, a);
    s->data = first_input(r, a);
    s->from = (struct str){str_dup(a, str_sub(symbol, 0, dot ? dot - 1 : 0)), dot ? dot - 1 : 0};
}

static bool is_factory(const struct framework_table *t, struct str symbol)
{
    for (size_t i = 0; i < t->factories.n; i++)
        if (str_eq(t->factories.at[i], symbol))
            return true;
    return false;
}

static bool is_record_api(const struct issue_record *r, struct str callee)
{
    for (size_t i = 0; i < r->n_apis; i++) {
        struct str api = r->apis[i];
        size_t dot = api.n;
        while (dot > 0 && api.at[dot - 1] != '.')
            dot--;
        struct str last = str_sub(api, dot, api.n);
        if (last.n && str_ends(callee, last) &&
            (callee.n == last.n || callee.at[callee.n - last.n - 1] == '.'))
            return true;
    }
    return false;
}

static struct str wrap_call(const struct reading *r, uint32_t call, struct arena *a)
{
    struct edit_set edits = {0};
    uint32_t callee = tree_child(&r->tree, call, FIELD_FUNCTION);
    struct str name = tree_text(&r->tree, callee);
    size_t dot = name.n;
    while (dot > 0 && name.at[dot - 1] != '.')
        dot--;
    bool is_class = dot < name.n && isupper((unsigned char)name.at[dot]);
    uint32_t whole = is_class ? call : callee;
    struct str text = tree_text(&r->tree, whole);
    struct str wrapped = str_of(arena_printf(
        a,
        is_class ? "torch.compile(" STR_FMT ", backend=\"aot_eager\")"
                 : "torch.compile(lambda *a, **k: " STR_FMT "(*a, **k), backend=\"aot_eager\")",
        STR_ARG(text)));
    edit_add(&edits, a, tree_node(&r->tree, whole)->start, tree_node(&r->tree, whole)->end, wrapped,
             0);
    return edit_apply(&edits, r->source.text, a).text;
}

/* The program with its last call of an API that the issue is about given to an optimiser; "": there
 * is none. */
static struct str with_optimizer(const struct reader *reader, const struct reading *r,
                                 const struct issue_record *record, struct arena *a)
{
    struct node_list calls = tree_list(&r->tree, PY_CALL);
    for (size_t i = calls.n; i-- > 0;) {
        uint32_t callee = tree_child(&r->tree, calls.at[i], FIELD_FUNCTION);
        struct str name = tree_text(&r->tree, callee);
        bool simple = tree_kind(&r->tree, callee) == PY_ATTRIBUTE;
        if (simple && is_record_api(record, name) && !is_factory(&reader->table, name) &&
            str_find_byte(name, '(') == name.n && str_find(name, STR("manual_seed")) == name.n)
            return wrap_call(r, calls.at[i], a);
    }
    return (struct str){0};
}

/* Does it import only what is there wherever the framework is? */
static bool imports_what_is_there(const struct reader *reader, const struct reading *r,
                                  struct arena *a)
{
    struct text_list modules = framework_table_list(&reader->table, "modules", a);
    const struct tree *t = &r->tree;
    for (uint32_t n = 1; n < t->n_nodes; n++) {
        enum py_kind above = tree_kind(t, tree_node(t, n)->parent);
        bool is_module =
            tree_kind(t, n) == PY_DOTTED_NAME &&
            ((above == PY_IMPORT_FROM && tree_node(t, n)->field == FIELD_MODULE_NAME) ||
             above == PY_IMPORT ||
             (above == PY_ALIASED_IMPORT &&
              tree_kind(t, tree_node(t, tree_node(t, n)->parent)->parent) == PY_IMPORT));
        struct str name = tree_text(t, n);
        bool found = !is_module;
        for (size_t i = 0; !found && i < modules.n; i++)
            found = str_eq(modules.at[i], str_sub(name, 0, str_find_byte(name, '.')));
        if (!found)
            return false;
    }
    return true;
}

/* Does it call what reads files, or other machines, that are not there? */
static bool wants_files(const struct reader *reader, const struct reading *r, struct arena *a)
{
    struct text_list absent = framework_table_list(&reader->table, "absent", a);
    struct node_list calls = tree_list(&r->tree, PY_CALL);
    for (size_t i = 0; i < calls.n; i++) {
        struct str name = tree_text(&r->tree, tree_child(&r->tree, calls.at[i], FIELD_FUNCTION));
        for (size_t k = 0; k < absent.n; k++)
            if (str_eq(name, absent.at[k]))
                return true;
    }
    return false;
}

static bool calls_one(const struct reading *r)
{
    for (size_t i = 0; i < r->parts.n; i++)
        if (r->parts.at[i].kind == PART_OPTIMIZER && !str_is(r->parts.at[i].row->status, "removed"))
            return true;
    return false;
}

static void add_seed(struct reader *reader, const struct issue_record *record, struct arena *a,
                     struct diffuse_seeds *out)
{
    struct reading r;
    struct diffuse_seed seed = {
        .id = record->id, .text = program_repair(reader, record->code, a), .record = record};
    if (!reading_make(reader, seed.text, a, &r) || r.tree.damage.n) {
        out->n_damaged++;
        return;
    }
    if (!imports_what_is_there(reader, &r, a) || wants_files(reader, &r, a)) {
        out->n_foreign++;
        return;
    }
    if (!calls_one(&r)) {
        struct str text = with_optimizer(reader, &r, record, a);
        out->n_without_optimizer++;
        if (!text.n)
            return;
        seed.text = program_repair(reader, text, a); /* may want its import */
        if (!reading_make(reader, seed.text, a, &r) || r.tree.damage.n || !calls_one(&r))
            return;
    }
    take_features(&r, record, a, &seed.features);
    describe(&r, a, &seed);
    vec_push(&out->at, a, seed);
}

void diffuse__seeds(struct reader *r, const struct issue_corpus *corpus, struct arena *a,
                    struct diffuse_seeds *out)
{
    *out = (struct diffuse_seeds){0};
    for (size_t i = 0; i < corpus->records.n; i++) {
        if (!str_eq(corpus->records.at[i].framework, r->table.framework))
            continue;
        out->n_records++;
        add_seed(r, &corpus->records.at[i], a, out);
    }
}
