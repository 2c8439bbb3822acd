/*
 * Decides how a graph's nodes become lines: in the model's order, one operator per line, by the
 * first form of the operator's row that applies. Constants are weights and have no line here.
 */
#include <stdlib.h>

#include "emit/emit_p.h"

static int compare_row(const void *key, const void *row)
{
    return str_cmp(*(const struct str *)key, str_of(((const struct emit_row *)row)->op_type));
}

const struct emit_row *emit__row(const struct emit_framework *f, struct str op_type)
{
    return bsearch(&op_type, f->rows, f->n_rows, sizeof *f->rows, compare_row);
}

static void add_results(struct emitter *w, const struct emit_scope *s, const struct node *n)
{
    for (uint32_t i = 0; i < n->n_outputs; i++) {
        strbuf_adds(&w->body, i ? ", " : "");
        if (n->outputs[i] == VALUE_NONE)
            strbuf_addc(&w->body, '_');
        else
            strbuf_addstr(&w->body, s->names[n->outputs[i]]);
    }
}

/* A form that begins with '=' gives a tuple of the outputs; with '*', one that may be longer. */
static void add_line(struct emitter *w, const struct emit_scope *s, const struct node *n,
                     struct str expression, unsigned indent)
{
    bool is_longer = expression.n && expression.at[0] == '*';
    bool is_tuple = is_longer || (expression.n && expression.at[0] == '=');
    strbuf_printf(&w->body, "%*s", (int)indent, "");
    add_results(w, s, n);
    strbuf_printf(&w->body, " = " STR_FMT, STR_ARG(str_sub(expression, is_tuple, expression.n)));
    if (is_tuple && n->n_outputs == 1)
        strbuf_adds(&w->body, "[0]");
    else if (is_longer)
        strbuf_printf(&w->body, "[:%u]", n->n_outputs);
    strbuf_addc(&w->body, '\n');
}

/* Does the form name all attributes of the node? Others would be lost silently. */
static bool heeds_all(struct filling *f)
{
    for (uint32_t i = 0; i < f->node->n_attrs; i++) {
        bool heeded = false;
        for (size_t k = 0; !heeded && k < f->heeded.n; k++)
            heeded = str_eq(f->node->attrs[i].name, f->heeded.at[k]);
        if (!heeded)
            return err_set(f->e, ERR_UNSUPPORTED,
                           "operator " STR_FMT ": attribute " STR_FMT " is not written for %s",
                           STR_ARG(f->node->op_type), STR_ARG(f->node->attrs[i].name),
                           f->w->framework->name);
    }
    return true;
}

static bool add_node(struct emitter *w, const struct emit_scope *s, const struct node *n,
                     unsigned indent, struct err *e)
{
    const struct emit_row *row = n->domain.n ? NULL : emit__row(w->framework, n->op_type);
    struct strbuf text = {0};
    bool ok = false;
    if (!row)
        return err_set(
            e, ERR_UNSUPPORTED, "operator " STR_FMT "%s" STR_FMT " is not written for %s",
            STR_ARG(n->domain), n->domain.n ? "." : "", STR_ARG(n->op_type), w->framework->name);
    for (size_t k = 0; !ok && row->forms[k]; k++) {
        struct filling f = {.w = w, .scope = s, .node = n, .out = &text, .e = e};
        strbuf_clear(&text);
        ok = emit__fill(&f, row->forms[k]) && heeds_all(&f);
        for (size_t i = 0; ok && i < f.used.n; i++)
            ok = emit__keep(w, s, f.used.at[i], e);
        vec_free(&f.used);
        vec_free(&f.heeded);
        if (!ok && e->code != ERR_UNSUPPORTED)
            break;
    }
    if (ok)
        add_line(w, s, n, strbuf_str(&text), indent);
    strbuf_done(&text);
    return ok;
}

bool emit__graph(struct emitter *w, const struct emit_scope *s, unsigned indent, struct err *e)
{
    for (size_t i = 0; i < s->graph->nodes.n; i++) {
        const struct node *n = &s->graph->nodes.at[i];
        if (str_is(n->op_type, "Constant") && !n->domain.n && s->is_weight[n->outputs[0]])
            continue;
        bool ok =
            emit__is_control(n) ? emit__control(w, s, n, indent, e) : add_node(w, s, n, indent, e);
        if (!ok)
            return false;
    }
    return true;
}
