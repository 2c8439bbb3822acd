/*
 * Decides which values are weights (initializers and Constant nodes) and how each is written: by
 * its elements, as bytes, or, on the caller's request, outside the source.
 */
#include "emit/emit_p.h"
#include "emit/literal.h"

void emit__put(struct strbuf *out, const char *pattern, struct str name, struct str value,
               const char *dtype, struct str dims)
{
    for (const char *c = pattern; *c; c++) {
        if (*c != '$') {
            strbuf_addc(out, *c);
            continue;
        }
        c++;
        if (*c == 'N')
            strbuf_addstr(out, name);
        else if (*c == 'V')
            strbuf_addstr(out, value);
        else if (*c == 'T')
            strbuf_adds(out, dtype);
        else
            strbuf_addstr(out, dims);
    }
}

static const struct tensor *scalar_tensor(double x, int64_t i, bool is_float, struct arena *a)
{
    struct tensor *t = arena_new(a, struct tensor);
    if (is_float) {
        *t = tensor_scalar_double(DTYPE_FLOAT, x, a);
        return t;
    }
    *t = tensor_from_i64s(&i, 1, a);
    t->rank = 0;
    return t;
}

static const struct tensor *of_attr(const struct node *n, struct arena *a)
{
    for (uint32_t i = 0; i < n->n_attrs; i++) {
        const struct attr *at = &n->attrs[i];
        struct tensor *t = arena_new(a, struct tensor);
        if (at->kind == ATTR_TENSOR)
            return at->t;
        if (at->kind == ATTR_INT || at->kind == ATTR_FLOAT)
            return scalar_tensor((double)at->f, at->i, at->kind == ATTR_FLOAT, a);
        if (at->kind == ATTR_INTS) {
            *t = tensor_from_i64s(at->ints, at->n, a);
            return t;
        }
        if (at->kind == ATTR_FLOATS) {
            int64_t *dims = arena_new_array(a, int64_t, 1);
            dims[0] = (int64_t)at->n;
            *t = (struct tensor){DTYPE_FLOAT, 1, dims, at->n, at->floats, NULL};
            return t;
        }
    }
    return NULL;
}

const struct tensor *emit__constant(const struct emitter *w, const struct emit_scope *s,
                                    uint32_t value)
{
    const struct graph_value *v = &s->graph->values.at[value];
    while (v->origin == ORIGIN_OUTER && s->outer) {
        value = v->origin_at;
        s = s->outer;
        v = &s->graph->values.at[value];
    }
    if (v->initializer)
        return v->initializer;
    if (v->origin != ORIGIN_NODE)
        return NULL;
    const struct node *n = &s->graph->nodes.at[v->origin_at];
    return str_is(n->op_type, "Constant") && !n->domain.n ? of_attr(n, w->a) : NULL;
}

bool emit__tensor(const struct emit_framework *f, const struct tensor *t, struct strbuf *out,
                  struct err *e)
{
    struct strbuf value = {0}, dims = {0};
    const char *dtype = f->dtypes[t->dtype];
    if (!dtype)
        return err_set(e, ERR_UNSUPPORTED, "%s has no dtype %s", f->name, dtype_name(t->dtype));
    literal_dims(t->dims, t->rank, &dims);
    bool is_scalar = t->rank == 0 && literal_is_listed(t);
    const char *pattern = f->list;
    if (t->n == 0) {
        pattern = f->empty;
    } else if (is_scalar) {
        pattern = f->scalar;
        literal_element(t, 0, f->module, &value);
    } else if (literal_is_listed(t)) {
        literal_list(t, f->module, &value);
    } else {
        pattern = f->bytes;
        literal_bytes(t, &value);
    }
    emit__put(out, pattern, STR(""), strbuf_str(&value), dtype, strbuf_str(&dims));
    if (t->rank != 1 && t->n && !is_scalar && !strstr(pattern, "$D"))
        strbuf_printf(out, ".reshape(" STR_FMT ")", STR_ARG(strbuf_str(&dims)));
    strbuf_done(&value);
    strbuf_done(&dims);
    return true;
}

bool emit__keep(struct emitter *w, const struct emit_scope *s, uint32_t value, struct err *e)
{
    struct strbuf text = {0};
    bool added, ok = true;
    if (!s->is_weight[value])
        return true;
    *map_at(&w->kept, w->a, s->names[value], &added) = 1;
    if (!added)
        return true;
    const struct tensor *t = emit__constant(w, s, value);
    if (w->where == EMIT_WEIGHTS_BESIDE && t->n && t->dtype != DTYPE_STRING &&
        !literal_is_listed(t) && w->framework->dtypes[t->dtype]) {
        strbuf_printf(&text, "weights[\"" STR_FMT "\"]", STR_ARG(s->names[value]));
        vec_push(&w->beside, w->a, (struct named_tensor){s->names[value], *t});
    } else {
        ok = emit__tensor(w->framework, t, &text, e);
    }
    emit__put(&w->weights, w->framework->weight, s->names[value], strbuf_str(&text), "", STR(""));
    strbuf_done(&text);
    return ok || err_wrap(e, "weight " STR_FMT, STR_ARG(s->names[value]));
}
