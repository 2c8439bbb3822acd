/*
 * Reads adapters and applies them to calls. Must not know frameworks: which adapter belongs to
 * which pair is found by runs or listed in share/align/. Invariant: an adapter never changes a call
 * that it does not apply to, and drops no argument silently: each is used or named as left out.
 */
#include "align/adapter.h"

#include <ctype.h>

#include "align/reader_p.h"
#include "base/vec.h"

static const char *const op_names[] = {
#define ADAPTER_OP(id, name, what) name,
#include "align/ops.def"
#undef ADAPTER_OP
};

const char *adapter_op_name(enum adapter_op op)
{
    return op_names[op];
}

bool adapter_is_identity(const struct adapter *x)
{
    return str_is(x->text, "*");
}

/* Reading ---------------------------------------------------------------------------------------*/

/* A literal ends at the first byte of `ends` outside its brackets. */
static bool read_literal(struct reader *r, const char *ends, struct arg *out)
{
    size_t from = r->at;
    unsigned depth = 0;
    bool quoted = false;
    for (; r->at < r->text.n; r->at++) {
        char c = r->text.at[r->at];
        if (c == '\'')
            quoted = !quoted;
        if (quoted)
            continue;
        bool is_minus =
            c == '-' && str_sub(r->text, r->at + 1, r->at + 2).n && r->text.at[r->at + 1] != '>';
        if (!depth && strchr(ends, c) && !is_minus)
            break;
        depth += c == '[' || c == '(';
        depth -= c == ']' || c == ')';
    }
    return arg_parse(str_trim(str_sub(r->text, from, r->at)), r->a, out, r->e) ||
           err_wrap(r->e, "adapter \"" STR_FMT "\"", STR_ARG(r->text));
}

static bool read_values(struct reader *r, struct arg_source *s)
{
    while (reader__peek(r) && reader__peek(r) != '}') {
        struct arg_source_value v = {0};
        if (s->n_values == SOURCE_VALUES_MAX)
            return reader__fail(r, "a shorter list of values");
        if (!read_literal(r, ":}", &v.from) || !reader__take(r, ':'))
            return reader__fail(r, "':'");
        reader__peek(r);
        if (!read_literal(r, ",}", &v.to))
            return false;
        s->values[s->n_values++] = v;
        reader__take(r, ',');
    }
    return reader__take(r, '}') || reader__fail(r, "'}'");
}

static bool read_ops(struct reader *r, struct arg_source *s)
{
    while (reader__take(r, '.')) {
        struct str name = reader__name(r);
        size_t op = 0;
        while (op < ADAPTER_N_OPS && !str_is(name, op_names[op]))
            op++;
        if (op == ADAPTER_N_OPS || s->n_ops == SOURCE_OPS_MAX)
            return reader__fail(r, "an op of ops.def");
        s->ops[s->n_ops++] = (enum adapter_op)op;
    }
    return true;
}

static bool read_source(struct reader *r, struct arg_source *out);

static bool read_list(struct reader *r, char close, struct arg_source *s)
{
    VEC(struct arg_source) items = {0};
    if (++r->depth > ARG_DEPTH_MAX)
        return reader__fail(r, "a list of less depth");
    while (reader__peek(r) != close) {
        struct arg_source one = {0};
        if (!read_source(r, &one))
            return false;
        vec_push(&items, r->a, one);
        if (!reader__take(r, ',') && reader__peek(r) != close)
            return reader__fail(r, "',' or the end of the list");
    }
    r->at++;
    r->depth--;
    s->items = items.at;
    s->n = items.n;
    return true;
}

static bool read_plain(struct reader *r, struct arg_source *s)
{
    char c = reader__peek(r);
    if (reader__take(r, '*'))
        s->kind = SOURCE_REST;
    else if (reader__take(r, '!'))
        return s->kind = SOURCE_LITERAL, read_literal(r, ",;|/-])", &s->literal);
    else if (c == '[' || c == '(')
        return r->at++, s->kind = c == '[' ? SOURCE_LIST : SOURCE_TUPLE,
                        read_list(r, c == '[' ? ']' : ')', s);
    else {
        s->of_make = reader__take(r, 'm');
        c = reader__peek(r);
        if (isdigit((unsigned char)c)) {
            s->kind = SOURCE_POSITION;
            s->at = (unsigned)(c - '0');
            r->at++;
        } else if (reader__take(r, '@')) {
            s->kind = SOURCE_NAME;
            s->name = reader__name(r);
        } else {
            return reader__fail(r, "an argument");
        }
    }
    return true;
}

static bool read_source(struct reader *r, struct arg_source *out)
{
    if (!read_plain(r, out))
        return false;
    if (out->kind == SOURCE_LITERAL)
        return true;
    if (!read_ops(r, out) || (reader__take(r, '{') && !read_values(r, out)) || !read_ops(r, out))
        return false;
    if (reader__peek(r) != '/' && reader__peek(r) != '?')
        return true;
    struct arg_source *other = arena_new(r->a, struct arg_source);
    out->otherwise = other;
    if (reader__take(r, '/'))
        return read_source(r, other);
    r->at++;
    other->kind = SOURCE_LITERAL;
    return read_literal(r, ",;|-])", &other->literal);
}

static bool read_items(struct reader *r, const struct adapter_item **out, size_t *n)
{
    VEC(struct adapter_item) list = {0};
    while (reader__peek(r) && !strchr(";|-", reader__peek(r))) {
        struct adapter_item item = {.is_dropped = reader__take(r, '~')};
        size_t from = r->at;
        struct str name = reader__name(r);
        if (name.n && reader__peek(r) == '=')
            r->at++, item.name = name;
        else
            r->at = from;
        if (!read_source(r, &item.from))
            return false;
        vec_push(&list, r->a, item);
        if (!reader__take(r, ',') && reader__peek(r) && !strchr(";|-", reader__peek(r)))
            return reader__fail(r, "',', ';', '|' or '->'");
    }
    *out = list.at;
    *n = list.n;
    return true;
}

static bool read_results(struct reader *r, struct adapter *x)
{
    while (reader__peek(r)) {
        struct str word = reader__name(r);
        if (word.n == 2 && word.at[0] == 'A')
            x->leaf_a = word.at[1] - '0';
        else if (word.n == 2 && word.at[0] == 'B')
            x->leaf_b = word.at[1] - '0';
        else if (str_is(word, "nchw"))
            x->result_nchw = true;
        else if (str_is(word, "t"))
            x->result_t = true;
        else if (str_is(word, "swap12"))
            x->result_swap12 = true;
        else if (str_is(word, "sorted"))
            x->result_sorted = true;
        else
            return reader__fail(r, "A0, B0, nchw or t");
    }
    return true;
}

bool adapter_parse(struct str text, struct arena *a, struct adapter *out, struct err *e)
{
    struct reader r = {.what = "adapter",
                       .blanks = " ",
                       .text = str_of(str_dup(a, str_trim(text))),
                       .a = a,
                       .e = e};
    *out = (struct adapter){.text = r.text, .leaf_a = -1, .leaf_b = -1};
    if (!read_items(&r, &out->args, &out->n_args))
        return false;
    if (reader__take(&r, ';')) {
        out->is_class = true;
        out->make = out->args;
        out->n_make = out->n_args;
        if (!read_items(&r, &out->args, &out->n_args))
            return false;
    }
    if (reader__take(&r, '|')) {
        size_t end = str_find(str_sub(r.text, r.at, r.text.n), STR("->"));
        out->weights = str_trim(str_sub(r.text, r.at, r.at + end));
        r.at += end;
    }
    if (reader__take(&r, '-') && (!reader__take(&r, '>') || !read_results(&r, out)))
        return reader__fail(&r, "'->' and the changes of results");
    return reader__peek(&r) == '\0' || reader__fail(&r, "the end of the adapter");
}

/* Applying --------------------------------------------------------------------------------------*/

enum { USED_MAX = 64 };

struct applying {
    const struct call *from;
    struct arena *a;
    uint64_t used_args, used_make; /* bits: by position in the part */
    bool refuses;
    bool drops;   /* the current item is left out */
    bool in_make; /* positions and names are those of a class's constructor */
};

static const struct call_part *part_of(const struct applying *t, const struct arg_source *s)
{
    return s->of_make || t->in_make ? &t->from->make : &t->from->args;
}

static const struct arg *given(struct applying *t, const struct arg_source *s)
{
    const struct call_part *part = part_of(t, s);
    uint64_t *used = part == &t->from->make ? &t->used_make : &t->used_args;
    for (size_t i = 0; i < part->n; i++) {
        bool is_it = s->kind == SOURCE_POSITION
                         ? !part->at[i].name.n && i == s->at
                         : part->at[i].name.n && str_eq(part->at[i].name, s->name);
        if (is_it) {
            *used |= UINT64_C(1) << i;
            return &part->at[i].value;
        }
    }
    return NULL;
}

static size_t rank_of(const struct arg *v, int64_t *dims)
{
    struct tensor_spec spec;
    if (v->kind != ARG_TENSOR || !tensor_spec_parse(v->text, &spec))
        return 0;
    memcpy(dims, spec.dims, sizeof spec.dims);
    return spec.rank;
}

/* The permutation of one op on a tensor of this rank; false: the op permutes nothing. */
static bool permutation(enum adapter_op op, size_t rank, uint8_t *perm)
{
    size_t n = 0;
    if (rank < 2 || rank > ARG_RANK_MAX)
        return false;
    switch (op) {
    case ADAPTER_NHWC:
        if (rank < 3)
            return false;
        perm[n++] = 0;
        for (size_t i = 2; i < rank; i++)
            perm[n++] = (uint8_t)i;
        perm[n] = 1;
        return true;
    case ADAPTER_HWIO:
    case ADAPTER_HWOI:
        for (size_t i = 2; i < rank; i++)
            perm[n++] = (uint8_t)i;
        perm[n++] = op == ADAPTER_HWIO;
        perm[n] = op != ADAPTER_HWIO;
        return true;
    case ADAPTER_FIRST:
        perm[n++] = (uint8_t)(rank - 1);
        for (size_t i = 0; i + 1 < rank; i++)
            perm[n++] = (uint8_t)i;
        return true;
    default:
        for (size_t i = 0; i < rank; i++)
            perm[i] = (uint8_t)i;
        if (op == ADAPTER_SWAP12 && rank < 3)
            return false;
        n = op == ADAPTER_SWAP01 ? 0 : op == ADAPTER_SWAP12 ? 1 : rank - 2;
        perm[n] = (uint8_t)(n + 1);
        perm[n + 1] = (uint8_t)n;
        return true;
    }
}

static bool has_rank(const struct arg *v, size_t rank)
{
    int64_t dims[ARG_RANK_MAX];
    return v->kind == ARG_TENSOR && rank_of(v, dims) == rank;
}

static bool permute(enum adapter_op op, struct arg *v)
{
    int64_t dims[ARG_RANK_MAX];
    uint8_t perm[ARG_RANK_MAX];
    size_t rank = rank_of(v, dims);
    if (v->n_perm || !permutation(op, rank, perm))
        return false;
    memcpy(v->perm, perm, rank);
    v->n_perm = (uint8_t)rank;
    return true;
}

static struct arg list_of(struct arena *a, enum arg_kind kind, const struct arg *one, size_t times)
{
    struct arg *items = arena_new_array(a, struct arg, times);
    for (size_t i = 0; i < times; i++)
        items[i] = *one;
    return (struct arg){.kind = kind, .items = items, .n = times};
}

static struct arg reversed(struct arena *a, const struct arg *v)
{
    struct arg *items = arena_new_array(a, struct arg, v->n);
    for (size_t i = 0; i < v->n; i++)
        items[i] = v->items[v->n - 1 - i];
    return (struct arg){.kind = v->kind, .items = items, .n = v->n};
}

static struct arg integer(int64_t n)
{
    return (struct arg){.kind = ARG_INT, .integer = n, .real = (double)n};
}

/* torch lists pairs from the last dimension backwards and leaves out those of the first ones. */
static bool pads(struct applying *t, struct arg *v)
{
    int64_t dims[ARG_RANK_MAX];
    const struct arg *x = t->from->args.n ? &t->from->args.at[0].value : NULL;
    size_t rank = x ? rank_of(x, dims) : 0;
    if (!rank || (v->kind != ARG_LIST && v->kind != ARG_TUPLE) || v->n % 2 || v->n / 2 > rank)
        return false;
    struct arg *rows = arena_new_array(t->a, struct arg, rank);
    for (size_t i = 0; i < rank; i++) {
        size_t at = (rank - 1 - i) * 2;
        struct arg *two = arena_new_array(t->a, struct arg, 2);
        two[0] = at < v->n ? v->items[at] : integer(0);
        two[1] = at < v->n ? v->items[at + 1] : integer(0);
        rows[i] = (struct arg){.kind = ARG_LIST, .items = two, .n = 2};
    }
    *v = (struct arg){.kind = ARG_LIST, .items = rows, .n = rank};
    return true;
}

static bool pads_each(struct applying *t, struct arg *v)
{
    struct arg list = v->kind == ARG_INT ? list_of(t->a, ARG_LIST, v, 1) : *v;
    struct arg *rows = arena_new_array(t->a, struct arg, list.n);
    for (size_t i = 0; i < list.n; i++)
        rows[i] = list_of(t->a, ARG_LIST, &list.items[i], 2);
    *v = (struct arg){.kind = ARG_LIST, .items = rows, .n = list.n};
    return list.n > 0;
}

static bool is_list(const struct arg *v)
{
    return v->kind == ARG_LIST || v->kind == ARG_TUPLE;
}

static bool change_list(struct applying *t, enum adapter_op op, struct arg *v)
{
    switch (op) {
    case ADAPTER_LIST:
        *v = is_list(v) ? *v : list_of(t->a, ARG_LIST, v, 1);
        return true;
    case ADAPTER_TUPLE:
        *v = is_list(v) ? *v : list_of(t->a, ARG_TUPLE, v, 1);
        v->kind = ARG_TUPLE;
        return true;
    case ADAPTER_PAIR:
        *v = is_list(v) ? *v : list_of(t->a, ARG_LIST, v, 2);
        return true;
    case ADAPTER_ITEM:
        if (is_list(v) && v->n != 1)
            return false;
        *v = is_list(v) ? v->items[0] : *v;
        return true;
    case ADAPTER_REVERSE:
        if (is_list(v))
            *v = reversed(t->a, v);
        return true;
    case ADAPTER_NHC: {
        struct arg *items = arena_new_array(t->a, struct arg, v->n + 1);
        if (!is_list(v) || v->n < 3)
            return false;
        for (size_t i = 0; i < v->n; i++)
            items[i == 0 ? 0 : i == 1 ? v->n - 1 : i - 1] = v->items[i];
        v->items = items;
        return true;
    }
    case ADAPTER_PADS:
        return pads(t, v);
    default:
        return pads_each(t, v);
    }
}

static bool change_number(enum adapter_op op, struct arg *v)
{
    if (op == ADAPTER_NOT)
        return v->kind == ARG_BOOL && (v->truth = !v->truth, true);
    if (v->kind != ARG_INT && v->kind != ARG_FLOAT)
        return false;
    double by = op == ADAPTER_NEGATED     ? -v->real
                : op == ADAPTER_PLUS1     ? v->real + 1
                : op == ADAPTER_MINUS1    ? v->real - 1
                : op == ADAPTER_ONE_MINUS ? 1 - v->real
                : op == ADAPTER_INVERSE   ? 1 / v->real
                                          : v->real;
    if (op == ADAPTER_REAL || op == ADAPTER_INVERSE)
        v->kind = ARG_FLOAT;
    v->real = by;
    v->integer = v->kind == ARG_INT ? (int64_t)by : 0;
    return true;
}

static bool change(struct applying *t, enum adapter_op op, struct arg *v)
{
    switch (op) {
    case ADAPTER_NHWC:
    case ADAPTER_HWIO:
    case ADAPTER_HWOI:
    case ADAPTER_T:
    case ADAPTER_FIRST:
    case ADAPTER_SWAP01:
    case ADAPTER_SWAP12:
        return v->kind == ARG_NONE || permute(op, v);
    case ADAPTER_INT32:
    case ADAPTER_INT64:
    case ADAPTER_FLOAT32:
    case ADAPTER_BOOL:
    case ADAPTER_COMPLEX64:
        v->cast = str_of(op_names[op]);
        return v->kind == ARG_TENSOR;
    case ADAPTER_RANK3:
    case ADAPTER_RANK4:
    case ADAPTER_RANK5:
        return has_rank(v, 3 + (op - ADAPTER_RANK3));
    case ADAPTER_NOT:
    case ADAPTER_NEGATED:
    case ADAPTER_PLUS1:
    case ADAPTER_MINUS1:
    case ADAPTER_ONE_MINUS:
    case ADAPTER_INVERSE:
    case ADAPTER_REAL:
        return change_number(op, v);
    default:
        return change_list(t, op, v);
    }
}

static bool value_of(struct applying *t, const struct arg_source *s, struct arg *out);

static bool value_of_list(struct applying *t, const struct arg_source *s, struct arg *out)
{
    VEC(struct arg) items = {0};
    for (size_t i = 0; i < s->n; i++) {
        const struct arg_source *one = &s->items[i];
        struct arg v = {0};
        if (one->kind == SOURCE_REST) {
            const struct call_part *part = part_of(t, one);
            uint64_t *used = part == &t->from->make ? &t->used_make : &t->used_args;
            for (size_t k = 0; k < call_part_n_positional(part); k++) {
                if (*used >> k & 1)
                    continue;
                *used |= UINT64_C(1) << k;
                vec_push(&items, t->a, part->at[k].value);
            }
        } else if (value_of(t, one, &v)) {
            vec_push(&items, t->a, v);
        } else {
            return false;
        }
    }
    *out = (struct arg){
        .kind = s->kind == SOURCE_LIST ? ARG_LIST : ARG_TUPLE, .items = items.at, .n = items.n};
    return true;
}

static bool take_value(const struct arg_source *s, struct arg *v)
{
    for (size_t i = 0; i < s->n_values; i++) {
        if (arg_eq(&s->values[i].from, v)) {
            *v = s->values[i].to;
            return true;
        }
    }
    return !s->n_values;
}

/* false: the argument is not given, or (t->refuses) has a value that cannot be changed. */
static bool value_of(struct applying *t, const struct arg_source *s, struct arg *out)
{
    const struct arg *v;
    bool found;
    switch (s->kind) {
    case SOURCE_LITERAL:
        *out = s->literal;
        return true;
    case SOURCE_LIST:
    case SOURCE_TUPLE:
        found = value_of_list(t, s, out);
        break;
    case SOURCE_REST:
        found = false;
        break;
    default:
        v = given(t, s);
        found = v != NULL;
        if (v)
            *out = *v;
        break;
    }
    if (!found)
        return s->otherwise && value_of(t, s->otherwise, out);
    if (!take_value(s, out) && t->drops)
        return t->refuses = true, false;
    for (size_t i = 0; i < s->n_ops; i++)
        if (!change(t, s->ops[i], out))
            return t->refuses = true, false;
    return true;
}

struct named_args {
    VEC(struct named_arg) list;
};

/* Named arguments keep their names: torch.std(x, correction=0) with "*". */
static void add_rest(struct applying *t, const struct arg_source *s, struct named_args *out)
{
    const struct call_part *part = part_of(t, s);
    uint64_t *used = part == &t->from->make ? &t->used_make : &t->used_args;
    for (size_t i = 0; i < part->n; i++) {
        if (*used >> i & 1)
            continue;
        *used |= UINT64_C(1) << i;
        vec_push(&out->list, t->a, part->at[i]);
    }
}

static bool apply_items(struct applying *t, const struct adapter_item *items, size_t n,
                        struct call_part *out)
{
    struct named_args made = {{0}};
    bool gap = false;
    for (size_t i = 0; i < n; i++) {
        struct named_arg one = {.name = items[i].name};
        if (items[i].from.kind == SOURCE_REST && !items[i].is_dropped) {
            add_rest(t, &items[i].from, &made);
            continue;
        }
        t->drops = items[i].is_dropped;
        bool has = value_of(t, &items[i].from, &one.value);
        if (t->refuses)
            return false;
        if (!has && !items[i].name.n && !items[i].is_dropped)
            gap = true;
        if (!has || items[i].is_dropped)
            continue;
        if (gap && !one.name.n)
            return false;
        vec_push(&made.list, t->a, one);
    }
    *out = (struct call_part){made.list.at, made.list.n};
    return true;
}

static bool all_used(uint64_t used, size_t n)
{
    return n >= USED_MAX || used == (UINT64_C(1) << n) - 1;
}

/* Puts positional arguments before named ones, whatever the adapter's order. */
static void positional_first(struct call_part *p, struct arena *a)
{
    struct named_arg *sorted = arena_new_array(a, struct named_arg, p->n);
    size_t n = 0;
    for (int named = 0; named < 2; named++)
        for (size_t i = 0; i < p->n; i++)
            if ((p->at[i].name.n > 0) == named)
                sorted[n++] = p->at[i];
    p->at = sorted;
}

bool adapter_apply(const struct adapter *x, const struct call *from, struct arena *a,
                   struct call *out)
{
    struct applying t = {.from = from, .a = a};
    if (adapter_is_identity(x)) {
        *out = *from;
        return true;
    }
    *out = (struct call){.is_class = x->is_class, .is_step = from->is_step, .weights = x->weights};
    if (from->is_step) {
        out->is_class = false;
        out->args = from->args;
        t.used_args = ~UINT64_C(0);
        return apply_items(&t, x->is_class ? x->make : x->args, x->is_class ? x->n_make : x->n_args,
                           &out->make) &&
               all_used(t.used_make, from->make.n);
    }
    t.in_make = from->is_class;
    bool ok = apply_items(&t, x->make, x->n_make, &out->make);
    t.in_make = false;
    if (!ok || !apply_items(&t, x->args, x->n_args, &out->args))
        return false;
    positional_first(&out->make, a);
    positional_first(&out->args, a);
    return all_used(t.used_args, from->args.n) && all_used(t.used_make, from->make.n);
}

bool adapter_op_checks(enum adapter_op op)
{
    return op >= ADAPTER_RANK3 && op <= ADAPTER_RANK5;
}

/* Telling ---------------------------------------------------------------------------------------*/

struct traits {
    bool order, rename, inject, drop, values, layout, arity, dtype;
};

static void look_at(const struct arg_source *s, struct traits *t)
{
    t->values |= s->n_values > 0;
    t->arity |= s->kind == SOURCE_LIST || s->kind == SOURCE_TUPLE;
    for (size_t i = 0; i < s->n_ops; i++) {
        enum adapter_op op = s->ops[i];
        t->layout |= (op >= ADAPTER_NHWC && op <= ADAPTER_SWAP12);
        t->arity |= op <= ADAPTER_PAIR || op == ADAPTER_PADS || op == ADAPTER_PADS_EACH ||
                    op == ADAPTER_REVERSE;
        t->dtype |= op >= ADAPTER_INT32 && op <= ADAPTER_COMPLEX64;
        t->values |= op >= ADAPTER_NOT;
    }
    t->inject |= s->kind == SOURCE_LITERAL;
    for (size_t i = 0; i < s->n; i++)
        look_at(&s->items[i], t);
    if (s->otherwise)
        look_at(s->otherwise, t);
}

static void look_at_items(const struct adapter_item *items, size_t n, struct traits *t)
{
    unsigned last = 0;
    for (size_t i = 0; i < n; i++) {
        t->drop |= items[i].is_dropped;
        t->rename |= items[i].name.n > 0 && items[i].from.kind != SOURCE_LITERAL;
        if (items[i].from.kind == SOURCE_POSITION && !items[i].name.n) {
            t->order |= items[i].from.at < last;
            last = items[i].from.at;
        }
        look_at(&items[i].from, t);
    }
}

void adapter_put_json(const struct adapter *x, struct json_out *w)
{
    struct traits t = {0};
    look_at_items(x->make, x->n_make, &t);
    look_at_items(x->args, x->n_args, &t);
    const struct {
        const char *name;
        bool is;
    } parts[] = {{"order", t.order},
                 {"rename", t.rename},
                 {"inject", t.inject},
                 {"drop", t.drop},
                 {"values", t.values},
                 {"layout", t.layout || x->result_nchw || x->result_swap12},
                 {"arity", t.arity},
                 {"form", x->is_class},
                 {"returns", x->leaf_a >= 0 || x->leaf_b >= 0},
                 {"dtype", t.dtype}};
    json_begin_object(w);
    json_pair_str(w, "text", x->text);
    json_key(w, "kinds");
    json_begin_array(w);
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (parts[i].is)
            json_put_cstr(w, parts[i].name);
    json_end_array(w);
    json_end_object(w);
}
