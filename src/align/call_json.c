/*
 * Decides how a call is told to a worker. Must not know what it does. Invariant: the form is the
 * one that py/assay_worker/calls.py describes.
 */
#include "align/call_json.h"

struct writing {
    struct json_out *w;
    struct tensors_made *tensors;
    struct arena *a;
};

static void put_arg(struct writing *t, const struct arg *v);

static void put_special(struct writing *t, const char *key, struct str text)
{
    json_begin_object(t->w);
    json_pair_str(t->w, key, text);
    json_end_object(t->w);
}

static void put_tensor(struct writing *t, const struct arg *v)
{
    struct json_out *w = t->w;
    json_begin_object(w);
    json_pair_u64(w, "t", tensors_row(t->tensors, t->a, v));
    if (v->n_perm) {
        json_key(w, "perm");
        json_begin_array(w);
        for (unsigned i = 0; i < v->n_perm; i++)
            json_put_u64(w, v->perm[i]);
        json_end_array(w);
    }
    if (v->cast.n)
        json_pair_str(w, "cast", v->cast);
    json_end_object(w);
}

static void put_list(struct writing *t, const struct arg *v)
{
    struct json_out *w = t->w;
    if (v->kind == ARG_TUPLE) {
        json_begin_object(w);
        json_key(w, "tuple");
    }
    json_begin_array(w);
    for (size_t i = 0; i < v->n; i++)
        put_arg(t, &v->items[i]);
    json_end_array(w);
    if (v->kind == ARG_TUPLE)
        json_end_object(w);
}

static void put_real(struct writing *t, double x)
{
    struct strbuf text = {0};
    if (x - x != 0) { /* not finite */
        put_special(t, "float", x != x ? STR("nan") : x > 0 ? STR("inf") : STR("-inf"));
        return;
    }
    strbuf_printf(&text, "%.17g", x);
    struct str s = strbuf_str(&text);
    if (str_find_byte(s, '.') == s.n && str_find_byte(s, 'e') == s.n)
        strbuf_adds(&text, ".0");
    json_put_raw(t->w, strbuf_str(&text));
    strbuf_done(&text);
}

static void put_arg(struct writing *t, const struct arg *v)
{
    struct json_out *w = t->w;
    switch (v->kind) {
    case ARG_NONE:
        json_put_null(w);
        break;
    case ARG_BOOL:
        json_put_bool(w, v->truth);
        break;
    case ARG_INT:
        json_put_i64(w, v->integer);
        break;
    case ARG_FLOAT:
        put_real(t, v->real);
        break;
    case ARG_STR:
        json_put_str(w, v->text);
        break;
    case ARG_DTYPE:
        put_special(t, "dtype", v->text);
        break;
    case ARG_LIST:
    case ARG_TUPLE:
        put_list(t, v);
        break;
    case ARG_TENSOR:
        put_tensor(t, v);
        break;
    }
}

static void put_part(struct writing *t, const struct call_part *p, const char *args,
                     const char *keys)
{
    struct json_out *w = t->w;
    size_t n = call_part_n_positional(p);
    json_key(w, args);
    json_begin_array(w);
    for (size_t i = 0; i < n; i++)
        put_arg(t, &p->at[i].value);
    json_end_array(w);
    if (n == p->n)
        return;
    json_key(w, keys);
    json_begin_object(w);
    for (size_t i = n; i < p->n; i++) {
        json_key(w, str_dup(t->a, p->at[i].name));
        put_arg(t, &p->at[i].value);
    }
    json_end_object(w);
}

void call_put_json(const struct call *c, struct tensors_made *tensors, struct arena *a,
                   struct json_out *w)
{
    struct writing t = {w, tensors, a};
    if (c->is_step) {
        json_pair_bool(t.w, "step", true);
        put_part(&t, &c->make, "make", "keys");
    } else if (c->is_class) {
        put_part(&t, &c->make, "make", "make_keys");
    }
    put_part(&t, &c->args, "args", c->is_step ? "args_keys" : "keys");
    if (c->weights.n) {
        json_key(t.w, "weights");
        json_put_raw(t.w, c->weights);
    }
}
