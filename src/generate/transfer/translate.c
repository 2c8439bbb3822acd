/*
 * Decides how each part of a program is written in the other framework. Must not know what a call
 * computes: pairs do. Invariant: a program is translated as a whole or not at all.
 */
#include "generate/transfer/translate.h"

#include "base/share.h"
#include "generate/transfer/translate_p.h"

#include <string.h>

enum { DEPTH_MAX = 150, REASONS_MAX = 500 };

/* The table's helpers, file after file. */
static bool read_prelude(struct translator *t, struct arena *a, struct err *e)
{
    const struct json *files;
    struct strbuf text = {0};
    if (!json_need(t->table, "prelude", JSON_KIND_ARRAY, &files, e))
        return false;
    for (size_t i = 0; i < files->n; i++) {
        struct str one;
        const char *name = arena_printf(a, "transfer/" STR_FMT, STR_ARG(files->items[i].string));
        if (!share_find(name, &one)) {
            strbuf_done(&text);
            return err_set(e, ERR_INTERNAL, "%s is not compiled in", name);
        }
        strbuf_adds(&text, text.n ? "\n\n" : "");
        strbuf_addstr(&text, one);
    }
    t->prelude = strbuf_dup(&text, a);
    strbuf_done(&text);
    return true;
}

/* The rows that all targets of the source share, if it has several targets. */
static bool read_shared(struct translator *t, struct arena *a, struct err *e)
{
    struct str text;
    const char *name = arena_printf(a, "transfer/sources/%s.json", t->source);
    return !share_find(name, &text) || json_parse(text, name, a, &t->shared, e);
}

bool translator_open(const char *target, struct arena *a, struct translator *out, struct err *e)
{
    struct str text, source;
    const char *name = arena_printf(a, "transfer/%s.json", target);
    *out = (struct translator){.target = str_of(arena_strdup(a, target))};
    if (!share_find(name, &text))
        return err_set(e, ERR_USAGE, "no programs are translated to \"%s\"", target);
    if (!json_parse(text, name, a, &out->table, e) ||
        !json_need_str(out->table, "source", &source, e) || !read_prelude(out, a, e))
        return false;
    out->source = str_dup(a, source);
    return read_shared(out, a, e) && pairs_load(NULL, a, &out->pairs, e);
}

/* The node's text with its children translated. */
struct str translate__stitch(struct translating *w, uint32_t n)
{
    const struct tree *t = &w->read->tree;
    struct str all = t->source->text;
    uint32_t at = tree_node(t, n)->start;
    struct strbuf text = {0};
    for (uint32_t c = tree_first(t, n); c; c = tree_next(t, c)) {
        strbuf_addstr(&text, str_sub(all, at, tree_node(t, c)->start));
        strbuf_addstr(&text, translate__render(w, c));
        at = tree_node(t, c)->end;
    }
    strbuf_addstr(&text, str_sub(all, at, tree_node(t, n)->end));
    struct str out = strbuf_dup(&text, w->a);
    strbuf_done(&text);
    return out;
}

/* The name as pairs and rows write it: by "aliases" tensorflow.keras.ops.sum is keras.ops.sum. */
static struct str as_pairs_write(const struct translating *w, struct str name)
{
    const struct json *aliases = json_get(w->t->table, "aliases");
    for (size_t i = 0; aliases && i < aliases->n; i++) {
        struct str from = aliases->keys[i];
        if (str_starts(name, from))
            return str_of(arena_printf(w->a, STR_FMT STR_FMT, STR_ARG(aliases->items[i].string),
                                       STR_ARG(str_sub(name, from.n, name.n))));
    }
    return name;
}

bool translate__qualified(const struct reading *read, uint32_t n, struct arena *a, struct str *out)
{
    struct strbuf text = {0};
    bool is_known = names_print(&read->names, n, &text);
    *out = strbuf_dup(&text, a);
    strbuf_done(&text);
    return is_known;
}

bool translate__framework_name(struct translating *w, uint32_t n, struct str *out)
{
    struct str module = w->reader->table.module;
    if (!translate__qualified(w->read, n, w->a, out))
        return false;
    bool found = str_starts(*out, module) && (out->n == module.n || out->at[module.n] == '.');
    *out = as_pairs_write(w, *out);
    return found;
}

/* Calls -----------------------------------------------------------------------------------------*/

static void read_arguments(struct translating *w, uint32_t list, struct texts *out)
{
    const struct tree *t = &w->read->tree;
    for (uint32_t c = tree_first(t, list); c; c = tree_next(t, c)) {
        if (tree_kind(t, c) == PY_KEYWORD_ARGUMENT && out->n_named < ARGS_MAX) {
            out->names[out->n_named] = tree_text(t, tree_child(t, c, FIELD_NAME));
            out->values[out->n_named++] = translate__render(w, tree_child(t, c, FIELD_VALUE));
        } else if (tree_kind(t, c) == PY_LIST_SPLAT && out->n_positional < ARGS_MAX) {
            out->positional[out->n_positional++] = translate__stitch(w, c);
            out->has_splat = true;
        } else if (tree_kind(t, c) == PY_DICT_SPLAT && out->n_named < ARGS_MAX) {
            out->names[out->n_named] = STR("**");
            out->values[out->n_named++] = translate__render(w, tree_first(t, c));
            out->has_splat = true;
        } else if (out->n_positional < ARGS_MAX && py_is_expression(tree_kind(t, c))) {
            out->positional[out->n_positional++] = translate__render(w, c);
        } else {
            out->has_splat = true;
        }
    }
}

static struct str call_of_method(struct translating *w, uint32_t callee, struct texts *args,
                                 uint32_t n)
{
    const struct tree *t = &w->read->tree;
    uint32_t object = tree_child(t, callee, FIELD_OBJECT);
    struct str name = tree_text(t, tree_child(t, callee, FIELD_ATTRIBUTE));
    size_t n_before = w->out->reasons.n;
    if (translate__is_listed(w, "python_methods", name) || tree_kind(t, object) == PY_STRING)
        return translate__stitch(w, n);
    if (translate__is_listed(w, "no_methods", name))
        return translate__fail(w, "no counterpart of the method", name);
    if (args->n_positional == ARGS_MAX)
        return translate__fail(w, "too many arguments", name);
    bool in_place = name.n > 1 && name.at[name.n - 1] == '_' && name.at[name.n - 2] != '_' &&
                    !translate__row(w, "methods", name).n;
    for (size_t i = args->n_positional++; i > 0; i--)
        args->positional[i] = args->positional[i - 1];
    args->positional[0] = translate__render(w, object);
    struct str base = in_place ? str_sub(name, 0, name.n - 1) : name;
    struct str made = translate__method(w, base, args);
    if (in_place && !made.n)
        return translate__fail(w, "no counterpart of the method", name);
    if (in_place && w->out->reasons.n == n_before)
        return translate__in_place(w, n, object, made);
    return made.n || w->out->reasons.n > n_before ? made : translate__stitch(w, n);
}

static struct str render_call(struct translating *w, uint32_t n)
{
    const struct tree *t = &w->read->tree;
    uint32_t callee = tree_child(t, n, FIELD_FUNCTION);
    uint32_t list = tree_child(t, n, FIELD_ARGUMENTS);
    struct texts args = {.n_named = 0};
    struct str symbol;
    if (tree_kind(t, list) != PY_ARGUMENTS)
        return translate__stitch(w, n);
    if (translate__framework_name(w, callee, &symbol)) {
        read_arguments(w, list, &args);
        return translate__symbol(w, symbol, &args);
    }
    struct name_ref root = names_resolve(&w->read->names, callee);
    if (tree_kind(t, callee) != PY_ATTRIBUTE ||
        (root.origin != NAME_VARIABLE && root.origin != NAME_UNBOUND && root.path != PATH_NONE))
        return translate__stitch(w, n);
    read_arguments(w, list, &args);
    return call_of_method(w, callee, &args, n);
}

/* Names, imports --------------------------------------------------------------------------------*/

/* The function that a row calls which passes its arguments on: "f" of "f(${*})", and
 * "functools.partial(f, 2)" of "f(2, ${*})"; empty: it is another row. */
static struct str whole_symbol(struct translating *w, struct str row)
{
    size_t rest = str_find(row, STR("${*})")), open = str_find_byte(row, '(');
    if (rest + strlen("${*})") != row.n || str_find_byte(row, '$') != rest)
        return (struct str){0};
    struct str function = str_sub(row, 0, open);
    if (open + 1 == rest)
        return function;
    struct str first = str_sub(row, open + 1, rest - strlen(", "));
    return str_of(arena_printf(w->a, "functools.partial(" STR_FMT ", " STR_FMT ")",
                               STR_ARG(function), STR_ARG(first)));
}

static struct str render_name(struct translating *w, uint32_t n)
{
    struct str symbol, row;
    if (!translate__framework_name(w, n, &symbol))
        return (struct str){0};
    row = translate__row(w, "names", symbol);
    if (row.n)
        return row;
    row = whole_symbol(w, translate__row(w, "calls", symbol));
    if (row.n)
        return row;
    const struct pair_row *pair = pairs_best(&w->t->pairs, symbol, w->t->target);
    if (pair && adapter_is_identity(&pair->adapter) && str_is(pair->file->a, w->t->source))
        return pair->b;
    return translate__fail(w, "no pair", symbol);
}

static struct str render_attribute(struct translating *w, uint32_t n)
{
    const struct tree *t = &w->read->tree;
    struct str name = tree_text(t, tree_child(t, n, FIELD_ATTRIBUTE)), symbol, row;
    if (translate__framework_name(w, n, &symbol))
        return render_name(w, n);
    row = translate__row(w, "attributes", name);
    if (translate__is_listed(w, "no_attributes", name))
        return translate__fail(w, "no counterpart of the attribute", name);
    if (!row.n)
        return translate__stitch(w, n);
    struct texts self = {.n_positional = 1};
    self.positional[0] = translate__render(w, tree_child(t, n, FIELD_OBJECT));
    return translate__by_row(w, row, &self);
}

static bool imports_framework(struct translating *w, uint32_t n)
{
    struct str text = tree_text(&w->read->tree, n), module = w->reader->table.module;
    size_t at = str_find_byte(text, ' ');
    struct str rest = str_trim(str_sub(text, at, text.n));
    return str_starts(rest, module) && (rest.n == module.n || rest.at[module.n] == ' ' ||
                                        rest.at[module.n] == '.' || rest.at[module.n] == '\n');
}

/* Imports of libraries that work with the source framework only, such as torchvision. */
static struct str import_text(struct translating *w, uint32_t n)
{
    struct str text = tree_text(&w->read->tree, n);
    struct str module = str_trim(str_sub(text, str_find_byte(text, ' '), text.n));
    size_t end = 0;
    while (end < module.n && !strchr(" .,", module.at[end]))
        end++;
    module = str_sub(module, 0, end);
    if (translate__is_listed(w, "no_modules", module))
        return translate__fail(w, "no counterpart", module);
    return imports_framework(w, n) ? STR("pass") : text;
}

/* Is the node a literal, or made of literals only? Then no tensor is in it. */
static bool is_literal(const struct tree *t, uint32_t n)
{
    enum py_kind kind = tree_kind(t, n);
    if (kind == PY_UNARY || kind == PY_BINARY) {
        for (uint32_t c = tree_first(t, n); c; c = tree_next(t, c))
            if (!is_literal(t, c))
                return false;
        return true;
    }
    return kind == PY_INTEGER || kind == PY_FLOAT || kind == PY_STRING || kind == PY_NONE;
}

/* An operator on what may be tensors, by the row "binary" or "unary" of "operator": those of
 * "operators", for which the target has other rules of dtypes. */
static struct str render_operator(struct translating *w, uint32_t n)
{
    const struct tree *t = &w->read->tree;
    struct str sign = str_of(py_op_text((enum py_op)tree_node(t, n)->op));
    uint32_t x = tree_first(t, n), y = x ? tree_next(t, x) : 0;
    struct str row = translate__row(w, "operator", y ? STR("binary") : STR("unary"));
    bool is_pair = !y || !tree_next(t, y); /* else a chain of comparisons */
    if (!row.n || !x || !is_pair || !translate__is_listed(w, "operators", sign) ||
        tree_kind(t, x) == PY_STRING || is_literal(t, n) || translate__is_left_alone(t, n))
        return translate__stitch(w, n);
    struct texts args = {.n_positional = 1, .n_named = 1};
    args.positional[0] = translate__render(w, x);
    if (y)
        args.positional[args.n_positional++] = translate__render(w, y);
    args.names[0] = STR("sign");
    args.values[0] = sign;
    return translate__by_row(w, row, &args);
}

struct str translate__render(struct translating *w, uint32_t n)
{
    const struct tree *t = &w->read->tree;
    struct str out = {0};
    size_t n_before = w->out->reasons.n;
    if (n_before >= REASONS_MAX)
        return tree_text(t, n);
    if (w->depth >= DEPTH_MAX)
        return translate__fail(w, "too deep", STR("program"));
    w->depth++;
    switch (tree_kind(t, n)) {
    case PY_IMPORT:
    case PY_IMPORT_FROM:
        out = import_text(w, n);
        break;
    case PY_CALL:
        out = render_call(w, n);
        break;
    case PY_ATTRIBUTE:
        out = render_attribute(w, n);
        break;
    case PY_IDENTIFIER:
        out = render_name(w, n);
        if (!out.n && w->out->reasons.n == n_before)
            out = tree_text(t, n);
        break;
    case PY_KEYWORD_ARGUMENT:
        out = str_of(arena_printf(w->a, STR_FMT "=" STR_FMT,
                                  STR_ARG(tree_text(t, tree_child(t, n, FIELD_NAME))),
                                  STR_ARG(translate__render(w, tree_child(t, n, FIELD_VALUE)))));
        break;
    case PY_ASSIGNMENT:
    case PY_AUGMENTED:
        out = translate__assignment(w, n);
        break;
    case PY_SUBSCRIPT:
        out = translate__subscript(w, n);
        break;
    case PY_BINARY:
    case PY_UNARY:
    case PY_COMPARE:
        out = render_operator(w, n);
        break;
    default:
        out = translate__stitch(w, n);
        break;
    }
    w->depth--;
    return w->out->reasons.n > n_before && !out.n ? tree_text(t, n) : out;
}

/* Statements that must run before a program that uses a helper: "starts" of the table. */
static struct str starts_of(const struct translator *t, struct str body, struct arena *a)
{
    const struct json *starts = json_get(t->table, "starts");
    struct strbuf text = {0};
    for (size_t i = 0; starts && i < starts->n; i++)
        if (str_find(body, starts->keys[i]) < body.n)
            strbuf_printf(&text, STR_FMT "\n", STR_ARG(starts->items[i].string));
    struct str out = strbuf_dup(&text, a);
    strbuf_done(&text);
    return out;
}

void translate(const struct translator *t, struct reader *reader, struct str text, struct arena *a,
               struct translation *out)
{
    struct reading read, check;
    *out = (struct translation){.text = {0}};
    struct translating w = {.t = t, .reader = reader, .read = &read, .a = a, .out = out};
    if (!reading_make(reader, text, a, &read) || read.tree.damage.n) {
        translate__fail(&w, "not read", STR("damaged source"));
        return;
    }
    struct str body = translate__stitch(&w, 0);
    if (!out->n_calls)
        translate__fail(&w, "not about it", STR("no call of the framework"));
    if (out->reason.n && !(t->without.screening && out->n_calls))
        return;
    out->text = str_of(arena_printf(a, STR_FMT "\n" STR_FMT STR_FMT, STR_ARG(t->prelude),
                                    STR_ARG(starts_of(t, body, a)), STR_ARG(body)));
    if (!reading_make(reader, out->text, a, &check) || check.tree.damage.n) {
        translate__fail(&w, "not read", STR("damaged translation"));
        out->text = (struct str){0};
    }
}
