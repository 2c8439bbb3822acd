/*
 * Writes calls as text: applies a pair's adapter to the texts of arguments, or fills in a row of
 * the table. Must not know trees. Invariant: a call is translated only if every argument is used.
 */
#include "generate/transfer/translate_p.h"

struct filling {
    struct translating *w;
    const struct texts *args;
    uint32_t used_positional, used_named;
    bool refuses;
};

static bool given(struct filling *f, const struct arg_source *s, struct str *out)
{
    const struct texts *args = f->args;
    if (s->kind == SOURCE_POSITION && s->at < args->n_positional) {
        *out = args->positional[s->at];
        f->used_positional |= 1u << s->at;
        return true;
    }
    for (size_t i = 0; s->kind == SOURCE_NAME && i < args->n_named; i++) {
        if (str_eq(args->names[i], s->name)) {
            *out = args->values[i];
            f->used_named |= 1u << i;
            return true;
        }
    }
    return false;
}

static bool value_of(struct filling *f, const struct arg_source *s, struct str *out);

static void add_rest(struct filling *f, struct strbuf *out)
{
    for (size_t i = 0; i < f->args->n_positional; i++) {
        if (f->used_positional >> i & 1)
            continue;
        f->used_positional |= 1u << i;
        strbuf_printf(out, "%s" STR_FMT, out->n && out->at[out->n - 1] != '[' ? ", " : "",
                      STR_ARG(f->args->positional[i]));
    }
}

static bool list_of(struct filling *f, const struct arg_source *s, struct str *out)
{
    struct strbuf text = {0};
    bool ok = true;
    strbuf_addc(&text, '[');
    for (size_t i = 0; ok && i < s->n; i++) {
        struct str one;
        if (s->items[i].kind == SOURCE_REST) {
            add_rest(f, &text);
            continue;
        }
        ok = value_of(f, &s->items[i], &one);
        if (ok)
            strbuf_printf(&text, "%s" STR_FMT, text.n > 1 ? ", " : "", STR_ARG(one));
    }
    strbuf_addc(&text, ']');
    *out = strbuf_dup(&text, f->w->a);
    strbuf_done(&text);
    return ok;
}

static struct str literal_text(struct filling *f, const struct arg *v)
{
    struct strbuf text = {0};
    if (v->kind == ARG_DTYPE)
        strbuf_printf(&text, "'" STR_FMT "'", STR_ARG(v->text));
    else if (v->kind == ARG_FLOAT && v->real - v->real != 0)
        strbuf_printf(&text, "float('%s')", v->real > 0 ? "inf" : v->real < 0 ? "-inf" : "nan");
    else
        arg_print(v, &text);
    struct str out = strbuf_dup(&text, f->w->a);
    strbuf_done(&text);
    return out;
}

/* Values of literals are changed here; other texts are wrapped in a call of a helper. */
static void change(struct filling *f, const struct arg_source *s, struct str *text)
{
    struct arg v;
    struct err ignored = {0};
    bool known = arg_parse(*text, f->w->a, &v, &ignored) && v.kind != ARG_TENSOR;
    bool found = !s->n_values;
    for (size_t i = 0; i < s->n_values && known; i++) {
        if (arg_eq(&s->values[i].from, &v)) {
            *text = literal_text(f, &s->values[i].to);
            found = true;
        }
    }
    (void)found;
    for (size_t i = 0; i < s->n_ops; i++)
        if (!adapter_op_checks(s->ops[i]))
            *text = str_of(arena_printf(f->w->a, "_%s(" STR_FMT ")", adapter_op_name(s->ops[i]),
                                        STR_ARG(*text)));
}

static bool value_of(struct filling *f, const struct arg_source *s, struct str *out)
{
    bool found;
    if (s->kind == SOURCE_LITERAL) {
        *out = literal_text(f, &s->literal);
        return true;
    }
    found =
        s->kind == SOURCE_LIST || s->kind == SOURCE_TUPLE ? list_of(f, s, out) : given(f, s, out);
    if (!found)
        return s->otherwise && value_of(f, s->otherwise, out);
    if (s->n_ops && s->ops[0] == ADAPTER_PADS && f->args->n_positional)
        *out = str_of(arena_printf(f->w->a, STR_FMT ", " STR_FMT, STR_ARG(*out),
                                   STR_ARG(f->args->positional[0])));
    change(f, s, out);
    return true;
}

static bool fill_items(struct filling *f, const struct adapter_item *items, size_t n,
                       struct strbuf *out)
{
    for (size_t i = 0; i < n; i++) {
        struct str text;
        size_t before = out->n;
        if (items[i].from.kind == SOURCE_REST && !items[i].is_dropped) {
            add_rest(f, out);
            continue;
        }
        if (!value_of(f, &items[i].from, &text) || items[i].is_dropped)
            continue;
        strbuf_adds(out, before && out->at[before - 1] != '(' ? ", " : "");
        if (items[i].name.n)
            strbuf_printf(out, STR_FMT "=", STR_ARG(items[i].name));
        strbuf_addstr(out, text);
    }
    return true;
}

static bool all_used(const struct filling *f)
{
    return f->used_positional == (1u << f->args->n_positional) - 1 &&
           f->used_named == (1u << f->args->n_named) - 1;
}

/* Writes all arguments except the named ones in `dropped` (bits). */
static void identity_text(const struct texts *args, uint32_t dropped, struct strbuf *out)
{
    size_t n = args->n_positional;
    for (size_t i = 0; i < args->n_positional; i++)
        strbuf_printf(out, "%s" STR_FMT, i ? ", " : "", STR_ARG(args->positional[i]));
    for (size_t i = 0; i < args->n_named; i++)
        if (!(dropped >> i & 1))
            strbuf_printf(out, "%s" STR_FMT "%s" STR_FMT, n++ ? ", " : "", STR_ARG(args->names[i]),
                          str_is(args->names[i], "**") ? "" : "=", STR_ARG(args->values[i]));
}

struct str translate__unchanged(struct translating *w, struct str symbol, const struct texts *args)
{
    struct strbuf text = {0};
    strbuf_printf(&text, STR_FMT "(", STR_ARG(symbol));
    identity_text(args, 0, &text);
    strbuf_addc(&text, ')');
    struct str out = strbuf_dup(&text, w->a);
    strbuf_done(&text);
    return out;
}

struct str translate__by_pair(struct translating *w, const struct pair_row *pair,
                              const struct texts *args)
{
    const struct adapter *x = &pair->adapter;
    struct filling f = {.w = w, .args = args};
    struct strbuf text = {0};
    bool ok = !args->has_splat && x->leaf_a < 0 && !x->result_sorted && !x->result_swap12;
    if (x->result_nchw)
        strbuf_adds(&text, "_nchw(");
    strbuf_printf(&text, STR_FMT "(", STR_ARG(pair->b));
    if (adapter_is_identity(x)) {
        identity_text(args, 0, &text);
        ok = ok && !args->n_named; /* names differ between frameworks */
        f.used_positional = (1u << args->n_positional) - 1;
    } else {
        if (x->is_class) {
            ok = ok && fill_items(&f, x->make, x->n_make, &text);
            strbuf_adds(&text, ")(");
        }
        ok = ok && fill_items(&f, x->args, x->n_args, &text);
    }
    strbuf_addc(&text, ')');
    if (x->leaf_b >= 0)
        strbuf_printf(&text, "[%d]", x->leaf_b);
    if (x->result_nchw)
        strbuf_addc(&text, ')');
    struct str out = ok && all_used(&f) ? strbuf_dup(&text, w->a) : (struct str){0};
    strbuf_done(&text);
    return out;
}

/* Does the op leave a value as it is, but for its type? */
static bool op_keeps_value(enum adapter_op op)
{
    return op == ADAPTER_LIST || op == ADAPTER_TUPLE || op == ADAPTER_INT32 ||
           op == ADAPTER_INT64 || adapter_op_checks(op);
}

/* The item that says what the second side's argument is made of: the n-th one by position, or the
 * named one; NULL: none. */
static const struct adapter_item *item_of(const struct adapter *x, size_t position, struct str name)
{
    for (size_t i = 0; i < x->n_args; i++) {
        const struct adapter_item *item = &x->args[i];
        if (item->is_dropped || !str_eq(item->name, name))
            continue;
        if (name.n || !position--)
            return item;
    }
    return NULL;
}

/* Puts an argument of the second side where the first one has it. */
static bool put_back(struct translating *w, const struct adapter_item *item, struct str value,
                     struct texts *out, uint32_t *filled)
{
    const struct arg_source *s = item ? &item->from : NULL;
    if (!s || s->n_values)
        return false;
    for (size_t i = 0; i < s->n_ops; i++)
        if (!op_keeps_value(s->ops[i]))
            return false;
    if (s->kind == SOURCE_LITERAL) { /* what the first side always does */
        struct filling f = {.w = w};
        return str_eq(literal_text(&f, &s->literal), value);
    }
    if (s->kind == SOURCE_NAME && out->n_named < ARGS_MAX) {
        out->names[out->n_named] = s->name;
        out->values[out->n_named++] = value;
        return true;
    }
    if (s->kind != SOURCE_POSITION || s->at >= ARGS_MAX)
        return false;
    out->positional[s->at] = value;
    *filled |= 1u << s->at;
    return true;
}

/* Has the first side's call no counterpart for an argument that was left out? */
static bool lacks_default(const struct adapter *x, const struct texts *args)
{
    size_t position = 0;
    for (size_t i = 0; i < x->n_args; i++) {
        const struct adapter_item *item = &x->args[i];
        bool given = false;
        if (item->is_dropped)
            continue;
        for (size_t k = 0; item->name.n && k < args->n_named; k++)
            given = given || str_eq(args->names[k], item->name);
        given = given || (!item->name.n && position++ < args->n_positional);
        if (!given && (item->from.kind == SOURCE_LITERAL || item->from.otherwise))
            return true;
    }
    return false;
}

struct str translate__by_pair_back(struct translating *w, const struct pair_row *pair,
                                   const struct texts *args)
{
    const struct adapter *x = &pair->adapter;
    struct texts back = {.n_positional = 0};
    uint32_t filled = 0;
    if (args->has_splat || x->is_class || x->leaf_a >= 0 || x->leaf_b >= 0 || x->result_nchw ||
        x->result_t || x->result_swap12 || x->result_sorted)
        return (struct str){0};
    if (adapter_is_identity(x)) /* names differ between frameworks */
        return args->n_named ? (struct str){0} : translate__unchanged(w, pair->a, args);
    bool ok = !lacks_default(x, args);
    for (size_t i = 0; ok && i < args->n_positional; i++)
        ok = put_back(w, item_of(x, i, STR("")), args->positional[i], &back, &filled);
    for (size_t i = 0; ok && i < args->n_named; i++)
        ok = put_back(w, item_of(x, 0, args->names[i]), args->values[i], &back, &filled);
    while (filled >> back.n_positional & 1)
        back.n_positional++;
    bool gap = filled >> back.n_positional != 0; /* the first side's names are not known */
    return ok && !gap ? translate__unchanged(w, pair->a, &back) : (struct str){0};
}

/* Rows of the table -----------------------------------------------------------------------------*/

static void add_shape(const struct texts *args, struct strbuf *out)
{
    if (args->n_positional == 1) {
        strbuf_printf(out, "_shape(" STR_FMT ")", STR_ARG(args->positional[0]));
        return;
    }
    strbuf_adds(out, "(");
    for (size_t i = 0; i < args->n_positional; i++)
        strbuf_printf(out, STR_FMT ", ", STR_ARG(args->positional[i]));
    strbuf_adds(out, ")");
}

static bool fill_row(struct filling *f, struct str row, struct strbuf *out);

/* Writes all arguments but the first as sizes: one list, or several numbers. */
static void add_sizes(struct filling *f, struct strbuf *out)
{
    struct texts rest = {.n_positional = 0};
    for (size_t i = 1; i < f->args->n_positional; i++)
        rest.positional[rest.n_positional++] = f->args->positional[i];
    add_shape(&rest, out);
    f->used_positional |= (1u << f->args->n_positional) - 2;
}

static bool add_word(struct filling *f, struct str word, struct strbuf *out)
{
    size_t bar = str_find_byte(word, '|');
    struct str name = str_sub(word, 0, bar), otherwise = str_sub(word, bar + 1, word.n);
    int64_t at;
    if (str_is(name, "*")) {
        identity_text(f->args, f->used_named, out);
        f->used_positional = (1u << f->args->n_positional) - 1;
        f->used_named = (1u << f->args->n_named) - 1;
        return true;
    }
    if (name.n && name.at[0] == '~') { /* given, but left out */
        struct arg_source out_of = {.kind = SOURCE_NAME, .name = str_sub(name, 1, name.n)};
        struct str ignored;
        if (str_to_i64(out_of.name, &at))
            out_of = (struct arg_source){.kind = SOURCE_POSITION, .at = (unsigned)at};
        given(f, &out_of, &ignored);
        return true;
    }
    if (str_is(name, "shape")) {
        add_shape(f->args, out);
        f->used_positional = (1u << f->args->n_positional) - 1;
        return true;
    }
    if (str_is(name, "rest")) {
        add_sizes(f, out);
        return true;
    }
    struct arg_source s = {.kind = SOURCE_NAME, .name = name};
    if (str_to_i64(name, &at))
        s = (struct arg_source){.kind = SOURCE_POSITION, .at = (unsigned)at};
    struct str text;
    if (given(f, &s, &text))
        strbuf_addstr(out, text);
    else if (bar < word.n)
        return fill_row(f, otherwise, out);
    else
        return false;
    return true;
}

/* Drops arguments that do not change values, such as a device. */
static void drop_named(struct filling *f)
{
    for (size_t i = 0; i < f->args->n_named; i++)
        if (translate__is_listed(f->w, "drop", f->args->names[i]))
            f->used_named |= 1u << i;
}

/* Fills in each "${word}" of a row; the default of a word is a row too. */
static bool fill_row(struct filling *f, struct str row, struct strbuf *out)
{
    for (size_t i = 0; i < row.n; i++) {
        if (row.at[i] != '$') {
            strbuf_addc(out, row.at[i]);
            continue;
        }
        size_t end = i + 2, depth = 1;
        for (; end < row.n; end++) {
            depth += row.at[end] == '{';
            depth -= row.at[end] == '}';
            if (!depth)
                break;
        }
        if (!add_word(f, str_sub(row, i + 2, end), out))
            return false;
        i = end;
    }
    return true;
}

/* Arguments that are dropped but say something of the result, such as requires_grad, by a row of
 * "wraps", whose ${0} is the call and ${1} the argument. */
static struct str wrap(struct translating *w, const struct texts *args, struct str made)
{
    for (size_t i = 0; i < args->n_named; i++) {
        struct str row = translate__row(w, "wraps", args->names[i]);
        struct texts parts = {.n_positional = 2, .positional = {made, args->values[i]}};
        struct filling f = {.w = w, .args = &parts};
        struct strbuf text = {0};
        if (row.n && fill_row(&f, row, &text))
            made = strbuf_dup(&text, w->a);
        strbuf_done(&text);
    }
    return made;
}

struct str translate__by_row(struct translating *w, struct str row, const struct texts *args)
{
    struct filling f = {.w = w, .args = args};
    struct strbuf text = {0};
    drop_named(&f);
    bool passes_on = str_find(row, STR("${*}")) < row.n;
    bool ok = (!args->has_splat || passes_on) && fill_row(&f, row, &text);
    struct str out = ok && all_used(&f) ? strbuf_dup(&text, w->a) : (struct str){0};
    strbuf_done(&text);
    return out.n ? wrap(w, args, out) : out;
}
