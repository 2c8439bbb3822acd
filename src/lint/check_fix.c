/*
 * Edit plans of rules to text edits. An edit never touches text that was repaired for reading, and
 * a plan that cannot be carried out whole is no fix.
 */
#include "lint/check_p.h"

struct edits {
    VEC(struct text_edit) list;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* White space before the statement on its line; false when something else stands there. */
static bool indent_of(const struct lint_file *f, uint32_t start, struct str *out)
{
    uint32_t line = source_line_of(&f->source, start);
    uint32_t begin = f->source.lines[line - 1];
    *out = str_sub(f->source.text, begin, start);
    for (size_t i = 0; i < out->n; i++)
        if (!is_blank(out->at[i]))
            return false;
    return true;
}

static bool add(struct edits *e, const struct lint_file *f, struct span span, struct str text,
                struct arena *a)
{
    if (source_is_repaired(&f->source, span))
        return false;
    uint32_t start = span.start, end = span.end;
    if (f->source.form != SOURCE_NOTEBOOK) {
        start = source_raw_offset(&f->source, span.start);
        end = source_raw_offset(&f->source, span.end);
    }
    vec_push(&e->list, a, (struct text_edit){start, end, 0, text});
    return true;
}

static bool delete_statement(struct edits *e, const struct lint_file *f, uint32_t node,
                             struct arena *a)
{
    const struct tree *t = &f->tree;
    uint32_t statement = tree_statement(t, node);
    struct str indent;
    if (!statement || !indent_of(f, tree_node(t, statement)->start, &indent))
        return false;
    struct span span = tree_span(t, statement);
    uint32_t block = tree_node(t, statement)->parent;
    if (tree_kind(t, block) == PY_BLOCK && tree_child_count(t, block) == 1)
        return add(e, f, span, STR("pass"), a);
    uint32_t end = span.end;
    while (end < f->source.text.n && is_blank(f->source.text.at[end]))
        end++;
    if (end < f->source.text.n && f->source.text.at[end] == '\r')
        end++;
    if (end < f->source.text.n && f->source.text.at[end] != '\n')
        return false;
    span.start -= (uint32_t)indent.n;
    span.end = MIN(end + 1, (uint32_t)f->source.text.n);
    return add(e, f, span, STR(""), a);
}

static bool insert_line(struct edits *e, const struct lint_file *f, uint32_t node, struct str text,
                        bool after, struct arena *a)
{
    const struct tree *t = &f->tree;
    uint32_t statement = tree_statement(t, node);
    struct str indent;
    if (!statement || !indent_of(f, tree_node(t, statement)->start, &indent))
        return false;
    struct strbuf line = {0};
    uint32_t at = tree_node(t, statement)->start;
    if (after) {
        at = tree_node(t, statement)->end;
        strbuf_addc(&line, '\n');
        strbuf_addstr(&line, indent);
        strbuf_addstr(&line, text);
    } else {
        strbuf_addstr(&line, text);
        strbuf_addc(&line, '\n');
        strbuf_addstr(&line, indent);
    }
    struct str whole = strbuf_dup(&line, a);
    strbuf_done(&line);
    return add(e, f, (struct span){at, at}, whole, a);
}

static bool add_argument(struct edits *e, const struct lint_file *f, uint32_t call, struct str text,
                         struct arena *a)
{
    const struct tree *t = &f->tree;
    uint32_t list = tree_kind(t, call) == PY_CALL ? tree_child(t, call, FIELD_ARGUMENTS) : 0;
    if (!list || tree_kind(t, list) != PY_ARGUMENTS ||
        (tree_node(t, list)->flags & PY_FLAG_HAS_DAMAGE))
        return false;
    uint32_t at = tree_node(t, list)->end - 1, last = 0;
    for (uint32_t c = tree_first(t, list); c; c = tree_next(t, c))
        last = c;
    if (!last)
        return add(e, f, (struct span){at, at}, text, a);
    uint32_t behind = tree_node(t, last)->end;
    struct str rest = str_sub(f->source.text, behind, at);
    bool has_comma = str_find_byte(rest, ',') < rest.n,
         has_comment = str_find_byte(rest, '#') < rest.n;
    if (has_comment)
        return false;
    struct strbuf piece = {0};
    strbuf_adds(&piece, ", ");
    strbuf_addstr(&piece, text);
    struct str whole = strbuf_dup(&piece, a);
    strbuf_done(&piece);
    (void)has_comma; /* a trailing comma stays behind the new argument */
    return add(e, f, (struct span){behind, behind}, whole, a);
}

static bool delete_argument(struct edits *e, const struct lint_file *f, uint32_t node,
                            struct arena *a)
{
    const struct tree *t = &f->tree;
    uint32_t list = tree_node(t, node)->parent;
    if (tree_kind(t, list) == PY_KEYWORD_ARGUMENT) {
        node = list;
        list = tree_node(t, list)->parent;
    }
    if (tree_kind(t, list) != PY_ARGUMENTS)
        return false;
    uint32_t before = 0;
    for (uint32_t c = tree_first(t, list); c && c != node; c = tree_next(t, c))
        before = c;
    struct span span = tree_span(t, node);
    uint32_t next = tree_next(t, node);
    if (before)
        span.start = tree_node(t, before)->end;
    else if (next)
        span.end = tree_node(t, next)->start;
    return add(e, f, span, STR(""), a);
}

static bool carry_out(struct match *m, const struct check *check, const struct edit_step *step,
                      struct edits *e, struct arena *a)
{
    const struct lint_file *f = m->file;
    uint32_t node = capture__node(m, step->at);
    if (!node)
        return false;
    struct str text = check__expand(m, check, step->text, true, a);
    struct span span = tree_span(&f->tree, node);
    switch (step->op) {
    case EDIT_REPLACE:
        return add(e, f, span, text, a);
    case EDIT_BEFORE:
        return add(e, f, (struct span){span.start, span.start}, text, a);
    case EDIT_AFTER:
        return add(e, f, (struct span){span.end, span.end}, text, a);
    case EDIT_DELETE_STATEMENT:
        return delete_statement(e, f, node, a);
    case EDIT_ADD_ARGUMENT:
        return add_argument(e, f, node, text, a);
    case EDIT_DELETE_ARGUMENT:
        return delete_argument(e, f, node, a);
    case EDIT_LINE_BEFORE:
    case EDIT_LINE_AFTER:
        return insert_line(e, f, node, text, step->op == EDIT_LINE_AFTER, a);
    case N_EDIT_OPS:
        break;
    }
    return false;
}

/* A plan being carried out where its condition holds, with what the condition bound. */
struct attempt {
    const struct check *check;
    const struct edit_plan *plan;
    struct finding *out;
    struct arena *arena;
};

static enum truth carry_out_plan(struct match *m, void *ctx)
{
    struct attempt *t = ctx;
    struct edits edits = {0};
    bool ok = m->n_unsure == 0 || t->plan->safety == SAFETY_UNSAFE;
    for (size_t s = 0; s < t->plan->n_steps && ok; s++)
        ok = carry_out(m, t->check, &t->plan->steps[s], &edits, t->arena);
    if (!ok || !edits.list.n)
        return TRUTH_FALSE;
    t->out->fix = (struct finding_fix){t->plan->safety,
                                       check__expand(m, t->check, t->plan->title, false, t->arena),
                                       edits.list.at, (uint32_t)edits.list.n};
    return TRUTH_TRUE;
}

void check__fix(struct match *m, const struct check *check, struct finding *out, struct arena *a)
{
    uint32_t kept = m->n_unsure;
    m->n_unsure = 0; /* of the condition alone */
    for (size_t i = 0; i < check->n_edits && out->fix.safety == SAFETY_NONE; i++) {
        struct attempt t = {check, &check->edits[i], out, a};
        struct rest r = {.list = check->edits[i].when, .done = carry_out_plan, .ctx = &t};
        match_rest(m, &r);
    }
    m->n_unsure = kept;
}
