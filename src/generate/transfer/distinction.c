/*
 * Decides what is said of a call: which pair, which of its adapter's items, which example. Must not
 * know models. Follows the paper's distinction (section 3.4), whose parameters and examples come
 * from documents; here they come from the adapter, and from calls that both frameworks ran alike.
 */
#include "generate/transfer/distinction.h"

#include "base/compiler.h"
#include "generate/transfer/translate_p.h"

enum { SYMBOLS_MAX = 12, HELPER_MAX = 300, EXAMPLES = 2, EXAMPLE_MAX = 90 };

/* Which calls ----------------------------------------------------------------------------------*/

static void find_pair(const struct translator *t, struct str symbol, struct distinction *out)
{
    const struct json *sides = json_get(t->table, "sides");
    for (size_t i = 0; sides && i < sides->n && !out->pair; i++)
        for (int back = 0; back < 2 && !out->pair; back++) {
            const struct pair_row *r =
                back ? pairs_best_of_b(&t->pairs, symbol, sides->items[i].string)
                     : pairs_best(&t->pairs, symbol, sides->items[i].string);
            struct str to = !r ? symbol : back ? r->a : r->b;
            enum direction way = back ? DIRECTION_BACK : DIRECTION_ON;
            if (r && translate__direction(t, r->file) == way &&
                translate__may_pair(t, symbol, to)) {
                out->pair = r;
                out->is_back = back;
            }
        }
}

struct distinction distinction_of(const struct translator *t, struct str symbol)
{
    struct translating w = {.t = t};
    struct distinction out = {.symbol = symbol};
    find_pair(t, symbol, &out);
    if (!t->without.alignment)
        out.row = translate__row(&w, "calls", symbol);
    return out;
}

static void add(struct distinctions *d, struct distinction one, struct arena *a)
{
    for (size_t i = 0; i < d->list.n; i++)
        if (str_eq(d->list.at[i].symbol, one.symbol))
            return;
    if ((one.pair || one.row.n) && d->list.n < SYMBOLS_MAX)
        vec_push(&d->list, a, one);
}

/* The call of a method: by the row of its name, or a pair of the tensor's class. */
static struct distinction of_method(struct translating *w, struct str name)
{
    struct str class = json_get_str(w->t->table, "tensor_class", STR(""));
    struct distinction out = distinction_of(
        w->t, str_of(arena_printf(w->a, STR_FMT "." STR_FMT, STR_ARG(class), STR_ARG(name))));
    if (!w->t->without.alignment && !out.pair)
        out.row = translate__row(w, "methods", name);
    return out;
}

static void add_callee(struct distinctions *d, struct translating *w, uint32_t callee)
{
    const struct tree *t = &w->read->tree;
    struct str symbol;
    if (translate__framework_name(w, callee, &symbol))
        add(d, distinction_of(w->t, symbol), w->a);
    else if (tree_kind(t, callee) == PY_ATTRIBUTE)
        add(d, of_method(w, tree_text(t, tree_child(t, callee, FIELD_ATTRIBUTE))), w->a);
}

void distinctions_find(const struct translator *t, struct reader *reader, struct str program,
                       struct arena *a, struct distinctions *out)
{
    struct reading read;
    struct translation ignored = {.text = {0}};
    struct translating w = {.t = t, .reader = reader, .read = &read, .a = a, .out = &ignored};
    *out = (struct distinctions){.list = {0}};
    if (!reading_make(reader, program, a, &read))
        return;
    for (uint32_t n = 0; n < read.tree.n_nodes; n++) {
        enum py_kind kind = tree_kind(&read.tree, n);
        if (kind == PY_CALL)
            add_callee(out, &w, tree_child(&read.tree, n, FIELD_FUNCTION));
        else if (kind == PY_DECORATOR)
            add_callee(out, &w, tree_first(&read.tree, n));
    }
}

/* Adapters in words ----------------------------------------------------------------------------*/

static void put_source(const struct arg_source *s, struct strbuf *out)
{
    static const char *const ops[] = {
#define ADAPTER_OP(id, name, what) what,
#include "align/ops.def"
#undef ADAPTER_OP
    };
    const char *owner = s->of_make ? " of the constructor" : "";
    switch (s->kind) {
    case SOURCE_POSITION:
        strbuf_printf(out, "argument %u%s", s->at + 1, owner);
        break;
    case SOURCE_NAME:
        strbuf_printf(out, STR_FMT "%s", STR_ARG(s->name), owner);
        break;
    case SOURCE_LITERAL:
        arg_print(&s->literal, out);
        break;
    case SOURCE_REST:
        strbuf_adds(out, "all other arguments, in their order");
        break;
    case SOURCE_LIST:
    case SOURCE_TUPLE:
        strbuf_adds(out, s->kind == SOURCE_LIST ? "a list of " : "a tuple of ");
        for (size_t i = 0; i < s->n; i++) {
            strbuf_adds(out, i ? ", " : "");
            put_source(&s->items[i], out); /* as deep as ARG_DEPTH_MAX */
        }
        break;
    }
    for (size_t i = 0; i < s->n_ops; i++)
        strbuf_printf(out, " (%s)", ops[s->ops[i]]);
    for (size_t i = 0; i < s->n_values; i++) {
        strbuf_adds(out, i ? ", " : " (");
        arg_print(&s->values[i].from, out);
        strbuf_adds(out, " becomes ");
        arg_print(&s->values[i].to, out);
        strbuf_adds(out, i + 1 == s->n_values ? ")" : "");
    }
    if (s->otherwise) {
        strbuf_adds(out, s->otherwise->kind == SOURCE_LITERAL ? ", where absent " : " or ");
        put_source(s->otherwise, out);
    }
}

/* Does the argument keep its place as it is? */
static bool is_kept(const struct adapter_item *item, size_t at)
{
    const struct arg_source *s = &item->from;
    return !item->is_dropped && !item->name.n && s->kind == SOURCE_POSITION && s->at == at &&
           !s->of_make && !s->n_ops && !s->n_values && !s->otherwise;
}

static void put_items(const struct adapter_item *items, size_t n, const char *what,
                      struct strbuf *out)
{
    for (size_t i = 0; i < n; i++) {
        if (is_kept(&items[i], i))
            continue;
        strbuf_adds(out, out->n ? "; " : "");
        if (items[i].is_dropped)
            strbuf_adds(out, "left out: ");
        else if (items[i].name.n)
            strbuf_printf(out, "%s" STR_FMT "= is ", what, STR_ARG(items[i].name));
        else if (items[i].from.kind != SOURCE_REST)
            strbuf_printf(out, "%sargument %zu is ", what, i + 1);
        put_source(&items[i].from, out);
    }
}

static void put_results(const struct adapter *x, struct strbuf *out)
{
    const struct {
        bool says;
        const char *text;
    } rows[] = {{x->result_nchw, "its result has the channels last"},
                {x->result_t, "the last two dimensions of its result are exchanged"},
                {x->result_swap12, "dimensions 2 and 3 of its result are exchanged"},
                {x->result_sorted, "its rows are in no defined order"}};
    if (x->leaf_b >= 0)
        strbuf_printf(out, "%sresult %d of the second counts", out->n ? "; " : "", x->leaf_b + 1);
    if (x->leaf_a >= 0)
        strbuf_printf(out, "%sit gives result %d of the first", out->n ? "; " : "", x->leaf_a + 1);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].says)
            strbuf_printf(out, "%s%s", out->n ? "; " : "", rows[i].text);
}

void distinction_put_adapter(const struct adapter *x, struct strbuf *to)
{
    struct strbuf out = {0};
    put_items(x->make, x->n_make, x->is_class ? "constructor's " : "", &out);
    put_items(x->args, x->n_args, x->is_class ? "call's " : "", &out);
    put_results(x, &out);
    strbuf_adds(to, out.n ? "" : "the arguments stay as they are");
    strbuf_addstr(to, strbuf_str(&out));
    strbuf_done(&out);
}

/* Examples -------------------------------------------------------------------------------------*/

static void put_arguments(const struct call_part *p, struct strbuf *out)
{
    strbuf_addc(out, '(');
    for (size_t i = 0; i < p->n; i++) {
        strbuf_adds(out, i ? ", " : "");
        if (p->at[i].name.n)
            strbuf_printf(out, STR_FMT "=", STR_ARG(p->at[i].name));
        arg_print(&p->at[i].value, out);
    }
    strbuf_addc(out, ')');
}

static void put_call(struct str symbol, const struct call *c, struct strbuf *out)
{
    strbuf_addstr(out, symbol);
    if (c->is_class || c->is_step)
        put_arguments(&c->make, out);
    if (!c->is_step)
        put_arguments(&c->args, out);
}

/* A call without the notation of how values are drawn: "f[2,3]" of "f[2,3]:pos". */
static void put_without_draws(struct str call, struct strbuf *out)
{
    for (size_t i = 0; i < call.n; i++) {
        bool draws = call.at[i] == ':' && i && call.at[i - 1] == ']';
        while (draws && i + 1 < call.n && str_is_word(call.at[i + 1]))
            i++;
        if (!draws)
            strbuf_addc(out, call.at[i]);
    }
}

/* One call of the evidence, in both frameworks; empty: it is long, or needs marks of the notation
 * that are not Python ("^": dimensions in another order). */
static struct str example_of(const struct pair_row *r, struct str agreed, struct arena *a)
{
    struct strbuf text = {0}, plain = {0};
    struct call from, to;
    struct err ignored;
    if (call_parse(agreed, a, &from, &ignored) && adapter_apply(&r->adapter, &from, a, &to)) {
        put_call(r->a, &from, &text);
        strbuf_adds(&text, " is ");
        put_call(r->b, &to, &text);
        put_without_draws(strbuf_str(&text), &plain);
    }
    bool fits = plain.n <= EXAMPLE_MAX && str_find_byte(strbuf_str(&plain), '^') == plain.n;
    struct str out = fits ? strbuf_dup(&plain, a) : (struct str){0};
    strbuf_done(&text);
    strbuf_done(&plain);
    return out;
}

/* The last ones of the evidence, whose arguments are the least plain. */
static void put_examples(const struct pair_row *r, struct arena *a, struct strbuf *out)
{
    const struct json *agree = json_get(r->evidence, "agree");
    struct str before = {0};
    for (size_t i = agree ? agree->n : 0, n = 0; i-- > 0 && n < EXAMPLES;) {
        struct str one = example_of(r, agree->items[i].string, a);
        if (!one.n || str_eq(one, before))
            continue;
        strbuf_printf(out, "   for example " STR_FMT "\n", STR_ARG(one));
        before = one;
        n++;
    }
}

/* Rows of the table ----------------------------------------------------------------------------*/

/* The name of the first helper of the prelude that the text calls; empty: none. */
static struct str helper_in(struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        if (text.at[i] != '_' || (i && (str_is_word(text.at[i - 1]) || text.at[i - 1] == '.')))
            continue;
        size_t end = i;
        while (end < text.n && str_is_word(text.at[end]))
            end++;
        if (end < text.n && text.at[end] == '(')
            return str_sub(text, i, end);
    }
    return (struct str){0};
}

struct str distinction_helper(const struct translator *t, struct str row, struct arena *a)
{
    struct str name = helper_in(row);
    struct str head = str_of(arena_printf(a, "\ndef " STR_FMT "(", STR_ARG(name)));
    size_t at = name.n ? str_find(t->prelude, head) : t->prelude.n;
    struct str text = str_sub(t->prelude, at + 1, t->prelude.n);
    return str_sub(text, 0, str_find(text, STR("\n\n\n")));
}

/* Can a prompt hold the helper: it is short, and needs no other one? */
static bool is_short(struct str helper)
{
    struct str inside = str_sub(helper, str_find_byte(helper, '\n'), helper.n);
    return helper.n && helper.n <= HELPER_MAX && !helper_in(inside).n;
}

/* "${0}" as "<argument 1>", "${dim|-1}" as "<dim else -1>", "${*}" as "<all arguments>". */
static void put_row(struct str row, struct strbuf *out)
{
    for (size_t i = 0; i < row.n; i++) {
        bool opens = row.at[i] == '$' && i + 1 < row.n && row.at[i + 1] == '{';
        if (opens) {
            i++;
            char first = i + 1 < row.n ? row.at[i + 1] : '}';
            strbuf_addc(out, '<');
            if (str_is_digit(first))
                strbuf_printf(out, "argument %d", first - '0' + 1);
            else if (first == '*')
                strbuf_adds(out, "all arguments");
            i += str_is_digit(first) || first == '*';
        } else if (row.at[i] == '}') {
            strbuf_addc(out, '>');
        } else if (row.at[i] == '|') {
            strbuf_adds(out, " else ");
        } else {
            strbuf_addc(out, row.at[i]);
        }
    }
}

static bool put_by_row(const struct distinction *d, const struct translator *t, struct arena *a,
                       struct strbuf *out)
{
    struct str text = distinction_helper(t, d->row, a);
    if (helper_in(d->row).n && !is_short(text))
        return false;
    strbuf_printf(out, "- " STR_FMT " becomes ", STR_ARG(d->symbol));
    put_row(d->row, out);
    strbuf_adds(out, text.n ? ", with\n" : "\n");
    if (text.n)
        strbuf_printf(out, STR_FMT "\n", STR_ARG(text));
    return true;
}

static void put_by_pair(const struct distinction *d, struct arena *a, struct strbuf *out)
{
    const struct pair_row *r = d->pair;
    strbuf_printf(out, "- " STR_FMT " is " STR_FMT, STR_ARG(d->symbol),
                  STR_ARG(d->is_back ? r->a : r->b));
    if (adapter_is_identity(&r->adapter)) {
        strbuf_adds(out, ", with the same arguments\n");
    } else {
        strbuf_printf(out, ". A call of " STR_FMT " becomes one of " STR_FMT " so: ", STR_ARG(r->a),
                      STR_ARG(r->b));
        distinction_put_adapter(&r->adapter, out);
        strbuf_addc(out, '\n');
    }
    put_examples(r, a, out);
}

void distinctions_put(const struct distinctions *d, const struct translator *t, struct arena *a,
                      struct strbuf *out)
{
    for (size_t i = 0; i < d->list.n; i++) {
        const struct distinction *one = &d->list.at[i];
        /* A row of the table is more exact than a pair, where a prompt can hold it. */
        if (one->row.n && put_by_row(one, t, a, out))
            continue;
        if (one->pair)
            put_by_pair(one, a, out);
    }
}
