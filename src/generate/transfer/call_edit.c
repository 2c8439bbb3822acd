/*
 * Decides how the arguments of a call change: one row of call_edits.def each. Must not know what
 * the call computes. Invariant: what is not named by the edit stays as it was.
 */
#include "generate/transfer/call_p.h"

#include <string.h>

enum { TENSORS_MAX = 16 };

static const struct {
    const char *name;
    bool keeps_dtypes;
} edits[] = {
#define CALL_EDIT(id, name, keeps_dtypes, help) {name, keeps_dtypes},
#include "generate/transfer/call_edits.def"
#undef CALL_EDIT
};

const char *call__edit_name(enum call_edit e)
{
    return edits[e].name;
}

bool call__keeps_dtypes(enum call_edit e)
{
    return edits[e].keeps_dtypes;
}

struct editing {
    enum call_edit edit;
    struct rng *r;
    struct arena *a;
    size_t at, n;     /* the tensor or integer that is changed, and how many were met */
    char from, to;    /* letters of dtypes */
    size_t dimension; /* that is changed, counted from the last */
    bool changed;
};

static struct str spec_text(struct arena *a, const struct tensor_spec *s)
{
    struct strbuf text = {0};
    strbuf_printf(&text, "%c[", s->letter);
    for (size_t i = 0; i < s->rank; i++)
        strbuf_printf(&text, "%s%lld", i ? "," : "", (long long)s->dims[i]);
    strbuf_adds(&text, "]");
    if (s->draw.n)
        strbuf_printf(&text, ":" STR_FMT, STR_ARG(s->draw));
    struct str out = strbuf_dup(&text, a);
    strbuf_done(&text);
    return out;
}

static bool is_index(const struct tensor_spec *s)
{
    return str_starts(s->draw, STR("idx")) || str_is(s->draw, "perm");
}

/* Values may only be changed where the call does not need those that it has. */
static bool change_draw(struct editing *t, struct tensor_spec *s)
{
    const char *draw = t->edit == CALL_EDIT_NEGATIVE  ? "neg"
                       : t->edit == CALL_EDIT_TIES    ? "ties"
                       : t->edit == CALL_EDIT_EXTREME ? "edge"
                                                      : "big";
    if (is_index(s) || s->letter == 'b' || (t->edit == CALL_EDIT_NEGATIVE && s->letter == 'u') ||
        (t->edit == CALL_EDIT_EXTREME && !strchr("fdh", s->letter)))
        return false;
    s->draw = str_of(draw);
    return true;
}

static bool change_dims(struct editing *t, struct tensor_spec *s)
{
    size_t at = t->dimension;
    switch (t->edit) {
    case CALL_EDIT_RANK:
        if (s->rank == ARG_RANK_MAX)
            return false;
        memmove(s->dims + 1, s->dims, s->rank * sizeof *s->dims);
        s->dims[0] = 2;
        s->rank++;
        return true;
    case CALL_EDIT_SCALAR:
        s->rank = 0;
        return true;
    default:
        if (at >= s->rank)
            return false;
        s->dims[s->rank - 1 - at] = t->edit == CALL_EDIT_EMPTY ? 0 : 1;
        return true;
    }
}

static bool change_tensor(struct editing *t, struct arg *v)
{
    struct tensor_spec s;
    bool is_chosen = t->n++ == t->at;
    if (!tensor_spec_parse(v->text, &s))
        return false;
    switch (t->edit) {
    case CALL_EDIT_DTYPE:
        if (s.letter != t->from || is_index(&s))
            return true;
        s.letter = t->to;
        break;
    case CALL_EDIT_MIXED:
        if (!is_chosen || is_index(&s))
            return true;
        s.letter = t->to;
        break;
    case CALL_EDIT_RANK:
    case CALL_EDIT_EMPTY:
        if (!change_dims(t, &s))
            return true;
        break;
    case CALL_EDIT_BROADCAST:
    case CALL_EDIT_SCALAR:
        if (!is_chosen || !change_dims(t, &s))
            return true;
        break;
    case CALL_EDIT_STRIDED:
        if (!is_chosen || s.rank < 2 || v->n_perm)
            return true;
        v->n_perm = (uint8_t)s.rank;
        for (size_t i = 0; i < s.rank; i++)
            v->perm[i] = (uint8_t)(s.rank - 1 - i);
        for (size_t i = 0; i < s.rank / 2; i++) {
            int64_t d = s.dims[i];
            s.dims[i] = s.dims[s.rank - 1 - i];
            s.dims[s.rank - 1 - i] = d;
        }
        break;
    default:
        if (!is_chosen || !change_draw(t, &s))
            return true;
    }
    v->text = spec_text(t->a, &s);
    t->changed = true;
    return true;
}

static bool change_value(struct editing *t, struct arg *v)
{
    if (v->kind == ARG_TENSOR && t->edit != CALL_EDIT_DIMENSION)
        return change_tensor(t, v);
    if (v->kind == ARG_INT && t->edit == CALL_EDIT_DIMENSION && t->n++ == t->at) {
        int64_t was = v->integer;
        v->integer = rng_chance(t->r, 0.5) ? -was - (was == 0) : rng_between(t->r, -3, 3);
        v->real = (double)v->integer;
        t->changed = v->integer != was;
    }
    if ((v->kind == ARG_LIST || v->kind == ARG_TUPLE) && v->n) {
        struct arg *items = arena_dup(t->a, v->items, v->n * sizeof *items);
        for (size_t i = 0; i < v->n; i++)
            if (!change_value(t, &items[i]))
                return false;
        v->items = items;
    }
    return true;
}

static void count_values(const struct arg *v, enum arg_kind kind, size_t *n, char *first)
{
    struct tensor_spec s;
    if (v->kind == kind) {
        if (kind == ARG_TENSOR && !*first && tensor_spec_parse(v->text, &s))
            *first = s.letter;
        ++*n;
    }
    for (size_t i = 0; (v->kind == ARG_LIST || v->kind == ARG_TUPLE) && i < v->n; i++)
        count_values(&v->items[i], kind, n, first);
}

/* Numbers the tensors of equal text, whose values would be equal otherwise. */
static void renumber(struct arg *v, struct arena *a, struct str *texts, uint32_t *n)
{
    if ((v->kind == ARG_LIST || v->kind == ARG_TUPLE) && v->n) {
        struct arg *items = arena_dup(a, v->items, v->n * sizeof *items);
        for (size_t i = 0; i < v->n; i++)
            renumber(&items[i], a, texts, n);
        v->items = items;
    }
    if (v->kind != ARG_TENSOR || *n == TENSORS_MAX)
        return;
    v->ordinal = 0;
    for (uint32_t i = 0; i < *n; i++)
        v->ordinal += str_eq(texts[i], v->text);
    texts[(*n)++] = v->text;
}

bool call__edit(const struct call *from, enum call_edit e, struct rng *r, struct arena *a,
                struct call *out)
{
    static const char letters[] = "fdhlisyubcz";
    struct str texts[TENSORS_MAX];
    size_t n = 0;
    uint32_t n_texts = 0;
    char first = 0;
    enum arg_kind kind = e == CALL_EDIT_DIMENSION ? ARG_INT : ARG_TENSOR;
    for (size_t i = 0; i < from->args.n; i++)
        count_values(&from->args.at[i].value, kind, &n, &first);
    *out = *from;
    if (e == CALL_EDIT_SAME)
        return true;
    if (!n)
        return false;
    struct editing t = {.edit = e,
                        .r = r,
                        .a = a,
                        .at = rng_below(r, n),
                        .from = first,
                        .to = letters[rng_below(r, sizeof letters - 1)],
                        .dimension = rng_below(r, 3)};
    struct named_arg *args = arena_dup(a, from->args.at, from->args.n * sizeof *args);
    for (size_t i = 0; i < from->args.n; i++)
        if (!change_value(&t, &args[i].value))
            return false;
    for (size_t i = 0; i < from->args.n; i++)
        renumber(&args[i].value, a, texts, &n_texts);
    out->args.at = args;
    return t.changed && !(e == CALL_EDIT_DTYPE && t.from == t.to);
}
