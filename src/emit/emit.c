/*
 * Decides how a program is laid out: imports, the helpers that it calls, its weights, its
 * operators. Must not know what an operator means: the tables (torch.def) and helpers (share/emit/)
 * do.
 */
#include "emit/emit_p.h"

#include <ctype.h>

#include "base/share.h"

static const struct emit_framework *const frameworks[] = {&emit__torch, &emit__jax,
                                                          &emit__tensorflow};
enum { N_FRAMEWORKS = sizeof frameworks / sizeof *frameworks };

const struct emit_framework *emit__framework(struct str name)
{
    for (size_t i = 0; i < N_FRAMEWORKS; i++)
        if (str_is(name, frameworks[i]->name))
            return frameworks[i];
    return NULL;
}

const char *emit_module(struct str framework)
{
    const struct emit_framework *f = emit__framework(framework);
    return f ? f->module : NULL;
}

const char *emit_framework_name(size_t i)
{
    return i < N_FRAMEWORKS ? frameworks[i]->name : NULL;
}

bool emit_has_operator(struct str framework, struct str op_type)
{
    const struct emit_framework *f = emit__framework(framework);
    const struct node n = {.op_type = op_type};
    return f && (emit__row(f, op_type) || str_is(op_type, "Constant") ||
                 (f->as_bool && emit__is_control(&n)));
}

/* Helpers -------------------------------------------------------------------------------------- */

struct helper {
    struct str name, text;
    bool is_used;
};
struct helpers {
    VEC(struct helper) list;
};

/* Reads the functions of a file: each from a "def " at the beginning of a line to the next. */
static bool add_helpers(const char *path, struct arena *a, struct helpers *out, struct err *e)
{
    struct str file;
    if (!share_find(path, &file))
        return err_set(e, ERR_INTERNAL, "%s is not there", path);
    size_t at = str_find(file, STR("\ndef ")) + 1;
    while (at < file.n) {
        size_t end = at + str_find(str_sub(file, at, file.n), STR("\n\n\ndef "));
        struct str text = str_sub(file, at, end);
        struct str name = str_sub(text, 4, str_find_byte(text, '('));
        vec_push(&out->list, a, (struct helper){name, str_trim(text), false});
        at = end + 3;
    }
    return true;
}

static bool calls(struct str text, struct str name)
{
    for (size_t from = 0; from < text.n;) {
        size_t at = from + str_find(str_sub(text, from, text.n), name);
        char before = at ? (at <= text.n ? text.at[at - 1] : ' ') : ' ';
        if (at >= text.n)
            return false;
        char behind = at + name.n < text.n ? text.at[at + name.n] : ' ';
        if (strchr("(,)", behind) && before != '.' && before != '_' &&
            !isalnum((unsigned char)before))
            return true;
        from = at + name.n;
    }
    return false;
}

/* Marks the helpers that the text calls, and those that they call. */
static void mark_used(struct helpers *h, struct str body)
{
    bool again = false;
    for (size_t i = 0; i < h->list.n; i++)
        h->list.at[i].is_used = calls(body, h->list.at[i].name);
    do {
        again = false;
        for (size_t i = 0; i < h->list.n; i++)
            for (size_t k = 0; h->list.at[i].is_used && k < h->list.n; k++)
                if (!h->list.at[k].is_used && calls(h->list.at[i].text, h->list.at[k].name))
                    again = h->list.at[k].is_used = true;
    } while (again);
}

/* Reserves the helpers' names before values get theirs. */
static void reserve_names(struct emitter *w, const struct helpers *h)
{
    for (size_t i = 0; i < h->list.n; i++)
        map_put(&w->taken, w->a, h->list.at[i].name, 1);
}

/* The program ---------------------------------------------------------------------------------- */

static struct str arguments(const struct emitter *w, const struct emit_scope *s)
{
    struct strbuf text = {0};
    const struct graph *g = s->graph;
    for (size_t i = 0; i < g->inputs.n; i++)
        if (!g->values.at[g->inputs.at[i]].initializer)
            strbuf_printf(&text, "%s" STR_FMT, text.n ? ", " : "",
                          STR_ARG(s->names[g->inputs.at[i]]));
    struct str list = strbuf_dup(&text, w->a);
    strbuf_done(&text);
    return list;
}

static bool add_return(struct emitter *w, const struct emit_scope *s, struct err *e)
{
    const struct graph *g = s->graph;
    strbuf_printf(&w->body, "%*sreturn ", (int)w->framework->indent, "");
    for (size_t i = 0; i < g->outputs.n; i++) {
        if (!emit__keep(w, s, g->outputs.at[i], e))
            return false;
        strbuf_adds(&w->body, i ? ", " : "");
        strbuf_addstr(&w->body, emit__name(w, s, g->outputs.at[i]));
    }
    strbuf_addc(&w->body, '\n');
    return true;
}

static bool check_inputs(const struct emitter *w, const struct graph *g, struct err *e)
{
    for (size_t i = 0; i < g->inputs.n; i++) {
        const struct graph_value *v = &g->values.at[g->inputs.at[i]];
        if (v->not_tensor || !w->framework->dtypes[v->dtype])
            return err_set(e, ERR_UNSUPPORTED, "input " STR_FMT ": %s has no dtype %s",
                           STR_ARG(v->name), w->framework->name,
                           v->not_tensor ? "that is no tensor" : dtype_name(v->dtype));
    }
    return true;
}

/* Does the text use the module math of the language, and not tf.math? */
static bool uses_math(struct str text)
{
    for (size_t at = 0; at < text.n; at++) {
        at += str_find(str_sub(text, at, text.n), STR("math."));
        if (at < text.n && at && text.at[at - 1] != '.')
            return true;
    }
    return false;
}

static void add_imports(const struct emitter *w, struct str helpers, struct strbuf *out)
{
    const struct strbuf *parts[] = {&w->weights, &w->body};
    bool base64 = false, math = uses_math(helpers);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        base64 |= str_find(strbuf_str(parts[i]), STR("base64.")) < parts[i]->n;
    strbuf_adds(out, base64 ? "import base64\n" : "");
    strbuf_adds(out, math ? "import math\n" : "");
    strbuf_adds(out, base64 || math ? "\n" : "");
    strbuf_adds(out, w->framework->imports);
}

static void assemble(struct emitter *w, const struct helpers *h, struct str args,
                     struct strbuf *out)
{
    struct strbuf helpers = {0};
    for (size_t i = 0; i < h->list.n; i++)
        if (h->list.at[i].is_used)
            strbuf_printf(&helpers, "\n\n" STR_FMT "\n", STR_ARG(h->list.at[i].text));
    add_imports(w, strbuf_str(&helpers), out);
    strbuf_addstr(out, strbuf_str(&helpers));
    strbuf_adds(out, w->framework->head);
    strbuf_addstr(out, strbuf_str(&w->weights));
    emit__put(out, w->framework->begin, STR(""), args, "", STR(""));
    strbuf_addstr(out, strbuf_str(&w->body));
    strbuf_done(&helpers);
}

static bool write_program(struct emitter *w, struct program *out, struct err *e)
{
    struct helpers h = {0};
    struct strbuf text = {0};
    if (!add_helpers("emit/common.py", w->a, &h, e) ||
        !add_helpers(w->framework->helpers, w->a, &h, e))
        return false;
    reserve_names(w, &h);
    struct emit_scope *s = emit__scope(w, w->model->graph, NULL);
    if (!check_inputs(w, s->graph, e) || !emit__graph(w, s, w->framework->indent, e) ||
        !add_return(w, s, e))
        return false;
    mark_used(&h, strbuf_str(&w->body));
    assemble(w, &h, arguments(w, s), &text);
    *out = (struct program){.source = strbuf_dup(&text, w->a),
                            .framework = str_of(w->framework->name),
                            .entry = str_of(w->framework->entry),
                            .weights = {w->beside.at, w->beside.n}};
    strbuf_done(&text);
    return true;
}

bool emit_program(const struct model *m, struct str framework, enum emit_weights where,
                  struct arena *a, struct program *out, struct err *e)
{
    struct emitter w = {
        .framework = emit__framework(framework), .model = m, .where = where, .a = a};
    if (!w.framework)
        return err_set(e, ERR_USAGE, "no programs are written for " STR_FMT, STR_ARG(framework));
    bool ok = write_program(&w, out, e);
    strbuf_done(&w.weights);
    strbuf_done(&w.body);
    return ok;
}

bool emit_tensor(struct str framework, const struct tensor *t, struct strbuf *out, struct err *e)
{
    const struct emit_framework *f = emit__framework(framework);
    if (!f)
        return err_set(e, ERR_USAGE, "no programs are written for " STR_FMT, STR_ARG(framework));
    return emit__tensor(f, t, out, e);
}
