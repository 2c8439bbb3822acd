/* Writes the pairs of two sides with their evidence, and counts them. Decides nothing. */
#include "align/verify/verify_p.h"

enum { AGREE_KEPT = 6, DISAGREE_KEPT = 6, TEXT_MAX = 200 };

static const char *const agreement_names[] = {"equal", "dtype", "value", "shape", "kind", "form"};

static void put_texts(struct json_out *w, const char *key, const struct str *at, size_t n)
{
    json_key(w, key);
    json_begin_array(w);
    for (size_t i = 0; i < n; i++)
        json_put_str(w, at[i]);
    json_end_array(w);
}

static void put_call(struct json_out *w, const char *key, const struct call *c)
{
    struct strbuf text = {0};
    call_print(c, &text);
    json_pair_str(w, key, strbuf_str(&text));
    strbuf_done(&text);
}

/* What is unusual in the call's tensors: dtype, draw, no elements. Else the number of arguments. */
static void domain_of(const struct call *c, struct strbuf *out)
{
    for (size_t i = 0; i < c->args.n; i++) {
        const struct arg *v = &c->args.at[i].value;
        struct tensor_spec s;
        if (v->kind != ARG_TENSOR || !tensor_spec_parse(v->text, &s))
            continue;
        bool is_empty = false;
        for (size_t k = 0; k < s.rank; k++)
            is_empty |= s.dims[k] == 0;
        if (s.letter != 'f')
            strbuf_printf(out, "%s%s", out->n ? " " : "", tensor_letter_dtype(s.letter));
        if (s.draw.n)
            strbuf_printf(out, "%s" STR_FMT, out->n ? " " : "", STR_ARG(s.draw));
        if (is_empty)
            strbuf_printf(out, "%sno elements", out->n ? " " : "");
    }
    if (!out->n)
        strbuf_printf(out, "%zu arguments", c->args.n);
}

static void put_outputs(struct json_out *w, const struct opened *a, const struct opened *b,
                        const struct match *m, const struct call *c)
{
    struct arena own;
    struct call to;
    struct strbuf text = {0};
    arena_init(&own);
    const struct output *oa = runs_output(a->runs, m->a->name, c), *ob = NULL;
    if (adapter_apply(m->adapter, c, &own, &to))
        ob = runs_output(b->runs, m->b->name, &to);
    if (oa) {
        output_print(oa, &text);
        json_pair_str(w, "a", str_sub(strbuf_str(&text), 0, TEXT_MAX));
    }
    strbuf_clear(&text);
    if (ob) {
        output_print(ob, &text);
        json_pair_str(w, "b", str_sub(strbuf_str(&text), 0, TEXT_MAX));
    }
    strbuf_done(&text);
    arena_done(&own);
}

static void put_disagreements(struct json_out *w, const struct opened *a, const struct opened *b,
                              const struct match *m)
{
    json_key(w, "disagree");
    json_begin_array(w);
    for (size_t i = 0; i < m->differs.n && i < DISAGREE_KEPT; i++) {
        struct strbuf domain = {0};
        domain_of(m->differs.at[i].call, &domain);
        json_begin_object(w);
        json_pair_str(w, "domain", strbuf_str(&domain));
        put_call(w, "call", m->differs.at[i].call);
        json_pair_cstr(w, "in", agreement_names[m->differs.at[i].how]);
        put_outputs(w, a, b, m, m->differs.at[i].call);
        json_end_object(w);
        strbuf_done(&domain);
    }
    json_end_array(w);
}

static void put_rivals(struct json_out *w, const struct match *m)
{
    json_key(w, "rivals");
    json_begin_array(w);
    for (size_t i = 0; i < m->rivals.n; i++) {
        const struct rival *r = &m->rivals.at[i];
        json_begin_object(w);
        json_pair_str(w, r->of_a ? "a" : "b", r->symbol->name);
        if (r->told_apart_by)
            put_call(w, "told_apart_by", r->told_apart_by);
        if (r->is_alias)
            json_pair_bool(w, "alias", true);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_evidence(struct json_out *w, const struct opened *a, const struct opened *b,
                         const struct match *m)
{
    json_begin_object(w);
    json_pair_u64(w, "tuples", m->counts.n_calls);
    json_pair_u64(w, "mapped", m->counts.n_mapped);
    json_pair_u64(w, "common", m->counts.common);
    json_pair_u64(w, "equal", m->counts.equal);
    json_pair_u64(w, "special", m->counts.special);
    json_pair_u64(w, "special_equal", m->counts.special_equal);
    json_pair_u64(w, "held_out", m->counts.held);
    json_pair_u64(w, "held_out_equal", m->counts.held_equal);
    json_pair_u64(w, "input_kinds", m->counts.kinds);
    json_pair_u64(w, "distinct_outputs", m->counts.distinct);
    json_pair_u64(w, "common_without_adapter", m->counts.plain_common);
    json_pair_u64(w, "equal_without_adapter", m->counts.plain_equal);
    json_key(w, "raises");
    json_begin_object(w);
    json_pair_u64(w, "b_only", m->counts.a_only);
    json_end_object(w);
    json_key(w, "agree");
    json_begin_array(w);
    for (size_t i = 0; i < m->equals.n && i < AGREE_KEPT; i++) {
        struct strbuf text = {0};
        call_print(m->equals.at[i * (m->equals.n - 1) / AGREE_KEPT], &text);
        json_put_str(w, strbuf_str(&text));
        strbuf_done(&text);
    }
    json_end_array(w);
    put_texts(w, "ranks", m->ranks.at, m->ranks.n);
    put_texts(w, "dtypes", m->dtypes.at, m->dtypes.n);
    put_disagreements(w, a, b, m);
    put_rivals(w, m);
    put_texts(w, "witnesses", m->witnesses.at, m->witnesses.n);
    json_end_object(w);
}

static void put_pair(struct json_out *w, const struct alignment *t, const struct opened *a,
                     const struct opened *b, const struct match *m)
{
    const struct subject *s = verify__subject(t, m->a);
    bool verified = m->status <= MATCH_EQUAL_WITH_ADAPTER;
    json_begin_object(w);
    json_pair_str(w, "op", m->a->op);
    json_pair_str(w, "a", m->a->name);
    json_pair_str(w, "b", m->b->name);
    if (verified) {
        const struct text_array *names = s ? &s->names : &m->a->names;
        put_texts(w, "names_a", names->at, names->n);
        put_texts(w, "names_b", m->b->names.at, m->b->names.n);
    }
    json_pair_cstr(w, "source", match_source_name(m->source));
    json_pair_cstr(w, "status", match_status_name(m->status));
    if (m->reason.n)
        json_pair_str(w, "reason", m->reason);
    json_key(w, "adapter");
    adapter_put_json(m->adapter, w);
    if (m->dtype_a.n) {
        json_key(w, "dtype");
        json_begin_array(w);
        json_put_str(w, m->dtype_a);
        json_put_str(w, m->dtype_b);
        json_end_array(w);
    }
    json_key(w, "evidence");
    put_evidence(w, a, b, m);
    json_end_object(w);
}

static bool better(const struct match *x, const struct match *y)
{
    if (x->status != y->status)
        return x->status < y->status;
    return x->counts.equal > y->counts.equal;
}

/* An operator or name counts once, however many of its pairs are equal. */
static void count(const struct alignment *t, const struct match_list *list, struct verify_counts *c)
{
    struct map operators = {.n_slots = 0}, names = operators, adapted = operators;
    struct arena a;
    size_t *of_status[] = {&c->equal, &c->adapted, &c->mixed, &c->unverified, &c->rejected};
    arena_init(&a);
    for (size_t i = 0; i < list->list.n; i++) {
        const struct match *m = &list->list.at[i];
        const struct subject *s = verify__subject(t, m->a);
        ++*of_status[m->status];
        if (m->status > MATCH_EQUAL_WITH_ADAPTER)
            continue;
        map_put(&operators, &a, m->a->op, 1);
        for (size_t k = 0; s && k < s->names.n; k++)
            map_put(&names, &a, s->names.at[k], 1);
        if (m->counts.plain_equal * 2 < m->counts.common &&
            m->counts.held_equal * 10 >= m->counts.held * 9)
            map_put(&adapted, &a, m->a->op, 1);
    }
    c->n_pairs = list->list.n;
    c->operators = operators.entries.n;
    c->names = names.entries.n;
    c->needs_adapter = adapted.entries.n;
    arena_done(&a);
}

void verify__put_pairs(const struct alignment *t, const struct opened *a, const struct opened *b,
                       const struct match_list *list, struct verify_counts *counts,
                       struct strbuf *out)
{
    struct json_out w = json_open(out, JSON_COMPACT);
    json_begin_object(&w);
    json_pair_str(&w, "a", a->side->name);
    json_pair_str(&w, "b", b->side->name);
    json_key(&w, "versions");
    json_begin_array(&w);
    json_put_str(&w, a->side->version);
    json_put_str(&w, b->side->version);
    json_end_array(&w);
    json_key(&w, "pairs");
    json_begin_array(&w);
    for (size_t i = 0; i < list->list.n; i++) {
        const struct match *m = &list->list.at[i];
        bool is_best = true; /* of a symbol's unverified pairs only the best is written */
        for (size_t k = 0; k < list->list.n && is_best; k++)
            is_best = list->list.at[k].a != m->a || k == i || !better(&list->list.at[k], m);
        if (m->status > MATCH_EQUAL_WITH_ADAPTER && !is_best)
            continue;
        strbuf_addc(out, '\n');
        put_pair(&w, t, a, b, m);
    }
    json_end_array(&w);
    json_end_object(&w);
    strbuf_addc(out, '\n');
    count(t, list, counts);
}
