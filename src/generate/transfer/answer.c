/*
 * Decides which part of a reply is the program, what is repaired in it, and in which order it is
 * checked. Must not know what names exist (answer_names.c) nor what was asked.
 */
#include "generate/transfer/answer_p.h"

#include "base/compiler.h"
#include "python/edit.h"

enum { PROGRAMS_MAX = 8 };

const char *answer_failure_name(enum answer_failure f)
{
    static const char *const names[] = {
#define ANSWER_FAILURE(id, name) name,
#include "generate/transfer/answer_failures.def"
#undef ANSWER_FAILURE
    };
    return names[f];
}

const char *answer_repair_name(enum answer_repair r)
{
    static const char *const names[] = {
#define ANSWER_REPAIR(id, name) name,
#include "generate/transfer/answer_repairs.def"
#undef ANSWER_REPAIR
    };
    return names[r];
}

/* Text ------------------------------------------------------------------------------------------*/

static size_t indent_of(struct str line)
{
    size_t n = 0;
    while (n < line.n && (line.at[n] == ' ' || line.at[n] == '\t'))
        n++;
    return n;
}

/* The program without the indent that all its lines share. */
static struct str dedent(struct answering *w, struct str text)
{
    struct str rest = text, line;
    size_t shared = SIZE_MAX;
    struct strbuf out = {0};
    while (str_split(&rest, '\n', &line))
        if (str_trim(line).n)
            shared = MIN(shared, indent_of(line));
    if (shared == 0 || shared == SIZE_MAX)
        return text;
    w->out->repairs |= 1u << ANSWER_REPAIR_INDENT;
    for (rest = text; str_split(&rest, '\n', &line);) {
        strbuf_addstr(&out, str_sub(line, MIN(shared, indent_of(line)), line.n));
        strbuf_addc(&out, '\n');
    }
    struct str made = strbuf_dup(&out, w->a);
    strbuf_done(&out);
    return made;
}

static size_t line_of(struct str text, size_t at)
{
    size_t n = 1;
    for (size_t i = 0; i < at && i < text.n; i++)
        n += text.at[i] == '\n';
    return n;
}

static size_t column_of(struct str text, size_t at)
{
    size_t begin = at;
    while (begin > 0 && text.at[begin - 1] != '\n')
        begin--;
    return at - begin;
}

/* Does a statement that begins a line stand in another column than the first one of its block? The
 * parser is more lenient than Python. */
static bool has_wrong_indent(struct answering *w)
{
    const struct tree *t = &w->read->tree;
    struct str text = t->source->text;
    for (uint32_t n = 0; n < t->n_nodes; n++) {
        if (tree_kind(t, n) != PY_BLOCK && tree_kind(t, n) != PY_MODULE)
            continue;
        size_t column = SIZE_MAX;
        for (uint32_t c = tree_first(t, n); c; c = tree_next(t, c)) {
            size_t at = tree_node(t, c)->start, own = column_of(text, at);
            if (!py_is_statement(tree_kind(t, c)) || indent_of(str_sub(text, at - own, at)) != own)
                continue; /* behind another statement of its line */
            if (column != SIZE_MAX && own != column)
                return answer__fail(w, ANSWER_INDENT,
                                    str_of(arena_printf(w->a, "line %zu", line_of(text, at))));
            column = own;
        }
    }
    return false;
}

/* Empty parts -----------------------------------------------------------------------------------*/

static bool does_nothing(const struct tree *t, uint32_t statement)
{
    uint32_t inside = tree_first(t, statement);
    switch (tree_kind(t, statement)) {
    case PY_PASS:
        return true;
    case PY_EXPRESSION_STATEMENT:
        return tree_kind(t, inside) == PY_ELLIPSIS || tree_kind(t, inside) == PY_STRING;
    case PY_RAISE:
        return str_find(tree_text(t, statement), STR("NotImplementedError")) <
               tree_text(t, statement).n;
    default:
        return false;
    }
}

static bool is_empty_function(const struct tree *t, uint32_t function)
{
    uint32_t body = tree_child_kind(t, function, PY_BLOCK);
    for (uint32_t c = tree_first(t, body); body && c; c = tree_next(t, c))
        if (!does_nothing(t, c))
            return false;
    return body != 0;
}

/* A function without a body that the source has not either, or a program without a call. */
static bool is_incomplete(struct answering *w)
{
    const struct tree *t = &w->read->tree;
    struct node_list functions = tree_list(t, PY_FUNCTION);
    struct str source = w->check->program;
    bool may_pass = str_find(source, STR("pass")) < source.n ||
                    str_find(source, STR("NotImplementedError")) < source.n;
    for (size_t i = 0; i < functions.n && !may_pass; i++)
        if (is_empty_function(t, functions.at[i]))
            return answer__fail(w, ANSWER_INCOMPLETE, STR("a function without a body"));
    return !tree_list(t, PY_CALL).n && answer__fail(w, ANSWER_INCOMPLETE, STR("it calls nothing"));
}

/* Repairs of imports ----------------------------------------------------------------------------*/

static struct str import_of(const struct answering *w, struct str name)
{
    const struct json *found = answer__words(w, "imports", name);
    return found ? found->string : (struct str){0};
}

static bool is_of_source(const struct answering *w, struct str name)
{
    return answer__is_below(answer__words(w, "roots", str_of(w->check->translator->source)), name);
}

/* Conventional imports of names that nothing binds. */
static struct str with_imports(struct answering *w)
{
    const struct tree *t = &w->read->tree;
    struct strbuf out = {0};
    struct map seen = {0};
    for (uint32_t n = 0; n < t->n_nodes; n++) {
        struct str name = answer__unbound(w, n), import = import_of(w, name);
        if (!import.n || is_of_source(w, name) || map_get(&seen, name))
            continue;
        map_put(&seen, w->a, name, 1);
        strbuf_printf(&out, STR_FMT "\n", STR_ARG(import));
    }
    if (out.n)
        w->out->repairs |= 1u << ANSWER_REPAIR_IMPORTS;
    strbuf_addstr(&out, t->source->text);
    struct str made = strbuf_dup(&out, w->a);
    strbuf_done(&out);
    return made;
}

/* The module that an import names first. */
static struct str imported(const struct tree *t, uint32_t n)
{
    struct str text = tree_text(t, n);
    struct str rest = str_trim(str_sub(text, str_find_byte(text, ' '), text.n));
    size_t end = 0;
    while (end < rest.n && (str_is_word(rest.at[end]) || rest.at[end] == '.'))
        end++;
    return str_sub(rest, 0, end);
}

/* Without imports of the source: those that the program needs are then names that nothing binds. */
static struct str without_source(struct answering *w)
{
    const struct tree *t = &w->read->tree;
    struct edit_set edits = {0};
    static const enum py_kind kinds[] = {PY_IMPORT, PY_IMPORT_FROM};
    uint32_t n_edits = 0;
    for (size_t k = 0; k < COUNT_OF(kinds); k++) {
        struct node_list list = tree_list(t, kinds[k]);
        for (size_t i = 0; i < list.n; i++)
            if (is_of_source(w, imported(t, list.at[i])))
                edit_add(&edits, w->a, tree_node(t, list.at[i])->start,
                         tree_node(t, list.at[i])->end, STR("pass"), n_edits++);
    }
    return n_edits ? edit_apply(&edits, t->source->text, w->a).text : t->source->text;
}

/* Removes the source's imports, if nothing needs them. */
static bool drop_source(struct answering *w, struct str text, struct reading *read)
{
    struct answer before = *w->out;
    struct str without = without_source(w);
    if (str_eq(without, text) || !reading_make(w->reader, without, w->a, read))
        return false;
    if (!answer__source_is_left(w) && !answer__has_undefined(w)) {
        w->out->program = without;
        w->out->repairs |= 1u << ANSWER_REPAIR_SOURCE;
        return true;
    }
    *w->out = before;
    return false;
}

/* ----------------------------------------------------------------------------------------------*/

static void check_names(struct answering *w)
{
    if (answer__source_is_left(w) || answer__has_unknown_module(w) || answer__has_undefined(w) ||
        answer__has_unknown_api(w) || answer__has_wrong_arguments(w) || is_incomplete(w))
        return;
    answer__misses_api(w);
}

static bool reads(struct answering *w, struct str text, struct reading *read, bool is_cut)
{
    if (reading_make(w->reader, text, w->a, read) && !read->tree.damage.n)
        return true;
    size_t at = read->tree.damage.n ? read->tree.damage.at[0].start : 0;
    answer__fail(w, is_cut ? ANSWER_INCOMPLETE : ANSWER_NOT_PYTHON,
                 str_of(arena_printf(w->a, "line %zu", line_of(text, at))));
    return false;
}

static void read_one(struct answering *w, struct str text, bool is_cut)
{
    struct reading read = {.source = {.text = {0}}};
    w->read = &read;
    w->out->program = text = dedent(w, text);
    if (!str_trim(text).n) {
        answer__fail(w, ANSWER_NO_PROGRAM, STR("the reply has none"));
        return;
    }
    if (!reads(w, text, &read, is_cut) || has_wrong_indent(w))
        return;
    if (is_cut) {
        answer__fail(w, ANSWER_INCOMPLETE, STR("it ends too early"));
        return;
    }
    w->out->program = text = with_imports(w);
    if (!reads(w, text, &read, false))
        return;
    if (!drop_source(w, text, &read) && !reads(w, text, &read, false))
        return;
    check_names(w);
}

void answer_read(const struct answer_check *check, struct reader *reader,
                 const struct llm_reply *reply, struct arena *a, struct answer *out)
{
    struct str rest = reply->text;
    bool fenced = str_find(rest, STR("```")) < rest.n;
    *out = (struct answer){.failure = ANSWER_NO_PROGRAM, .detail = STR("the reply has none")};
    for (unsigned i = 0; i < PROGRAMS_MAX && rest.n; i++) {
        struct answer one = {.failure = ANSWER_ACCEPTED};
        struct answering w = {.check = check, .reader = reader, .a = a, .out = &one};
        struct str code = llm_extract_code(rest, &rest, a);
        bool is_cut = !rest.at && str_is(reply->stop, "length");
        if (!code.n)
            continue;
        one.repairs = fenced ? 1u << ANSWER_REPAIR_FENCES : 0;
        read_one(&w, code, is_cut);
        if (!out->program.n || one.failure == ANSWER_ACCEPTED)
            *out = one;
        if (one.failure == ANSWER_ACCEPTED)
            return;
    }
}
