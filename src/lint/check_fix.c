/*
 * Turns edit plans of rules into text edits. An edit never touches text that was repaired for
 * reading, a plan that cannot be carried out whole is no fix, and one that removes a comment is
 * unsafe.
 *
 * A captured expression stays one operand: where it binds less tightly than the text around its new
 * place, it gets parentheses.
 */
#include "lint/check_p.h"
#include "lint/check_text_p.h"

/* A plan being carried out: its edits so far, and the places whose text these copy. */
struct edits {
    struct match *match;
    const struct check *check;
    struct arena *arena;
    VEC(struct check_edit) list;
    VEC(struct span) kept;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* White space before the statement on its line; false when other text is there. */
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

static bool add(struct edits *e, struct span span, struct str text)
{
    if (source_is_repaired(&e->match->file->source, span))
        return false;
    vec_push(&e->list, e->arena, (struct check_edit){span, text});
    return true;
}

/* An edit in a cell ends at the cell's end at the latest. */
static uint32_t clamp_to_cell(const struct source *s, struct span span)
{
    for (size_t i = 0; i < s->n_cells; i++)
        if (span.start >= s->cells[i].text_at && span.start <= s->cells[i].text_end)
            return MIN(span.end, s->cells[i].text_end);
    return span.end;
}

void check__set_edits(const struct lint_file *f, const struct check_edit *list, size_t n,
                      struct finding *out, struct arena *a)
{
    const struct source *s = &f->source;
    bool is_notebook = s->form == SOURCE_NOTEBOOK;
    struct finding_edit *edits = arena_new_array(a, struct finding_edit, n);
    for (size_t i = 0; i < n; i++) {
        struct span span = list[i].span;
        span.end = clamp_to_cell(s, span);
        edits[i] = (struct finding_edit){
            .start = is_notebook ? span.start : source_raw_offset(s, span.start),
            .end = is_notebook ? span.end : source_raw_offset(s, span.end),
            .text = list[i].text,
            .from = source_place(s, span.start),
            .to = source_place(s, span.end)};
    }
    out->fix.edits = edits;
    out->fix.n_edits = (uint32_t)n;
}

/* The line end that the file uses. */
static const char *line_end(const struct lint_file *f)
{
    struct str text = f->source.text;
    size_t at = str_find_byte(text, '\n');
    return at && at < text.n && text.at[at - 1] == '\r' ? "\r\n" : "\n";
}

static bool delete_statement(struct edits *e, uint32_t node)
{
    const struct lint_file *f = e->match->file;
    const struct tree *t = &f->tree;
    uint32_t statement = tree_statement(t, node);
    struct str indent;
    if (!statement || !indent_of(f, tree_node(t, statement)->start, &indent))
        return false;
    struct span span = tree_span(t, statement);
    uint32_t block = tree_node(t, statement)->parent;
    if (tree_kind(t, block) == PY_BLOCK && tree_child_count(t, block) == 1)
        return add(e, span, STR("pass"));
    uint32_t end = span.end;
    while (end < f->source.text.n && is_blank(f->source.text.at[end]))
        end++;
    if (end < f->source.text.n && f->source.text.at[end] == '\r')
        end++;
    if (end < f->source.text.n && f->source.text.at[end] != '\n')
        return false;
    span.start -= (uint32_t)indent.n;
    span.end = MIN(end + 1, (uint32_t)f->source.text.n);
    return add(e, span, STR(""));
}

static bool insert_line(struct edits *e, uint32_t node, struct str text, bool after)
{
    const struct lint_file *f = e->match->file;
    const struct tree *t = &f->tree;
    uint32_t statement = tree_statement(t, node);
    struct str indent;
    if (!statement || !indent_of(f, tree_node(t, statement)->start, &indent))
        return false;
    struct strbuf line = {0};
    uint32_t at = tree_node(t, statement)->start;
    if (after) {
        at = tree_node(t, statement)->end;
        strbuf_adds(&line, line_end(f));
        strbuf_addstr(&line, indent);
        strbuf_addstr(&line, text);
    } else {
        strbuf_addstr(&line, text);
        strbuf_adds(&line, line_end(f));
        strbuf_addstr(&line, indent);
    }
    struct str whole = strbuf_dup(&line, e->arena);
    strbuf_done(&line);
    return add(e, (struct span){at, at}, whole);
}

/* One step of indentation, as the block around the statement uses it. */
static struct str indent_step(const struct lint_file *f, uint32_t statement, struct str indent)
{
    uint32_t above = tree_statement(&f->tree, tree_node(&f->tree, statement)->parent);
    struct str outer;
    if (indent.n && above && indent_of(f, tree_node(&f->tree, above)->start, &outer) &&
        outer.n < indent.n)
        return str_sub(indent, outer.n, indent.n);
    return indent.n && indent.at[0] == '\t' ? STR("\t") : STR("    ");
}

/* Moving such a string would change its value. */
static bool has_string_of_lines(const struct tree *t, uint32_t node)
{
    for (uint32_t n = node; n < tree_node(t, node)->next; n++) {
        struct str text = tree_text(t, n);
        if (tree_kind(t, n) == PY_STRING && str_find_byte(text, '\n') < text.n)
            return true;
    }
    return false;
}

/* Indents the statement one step further, below a head line such as "with torch.no_grad():". */
static bool wrap_statement(struct edits *e, uint32_t node, struct str head)
{
    const struct lint_file *f = e->match->file;
    const struct tree *t = &f->tree;
    uint32_t statement = tree_statement(t, node);
    enum py_kind kind = tree_kind(t, statement);
    struct str indent, line;
    if (!statement || (kind != PY_EXPRESSION_STATEMENT && kind != PY_RETURN && kind != PY_ASSERT) ||
        !indent_of(f, tree_node(t, statement)->start, &indent) || has_string_of_lines(t, statement))
        return false;
    struct span span = tree_span(t, statement);
    struct str step = indent_step(f, statement, indent), rest = tree_text(t, statement);
    size_t behind = span.end;
    while (behind < f->source.text.n && is_blank(f->source.text.at[behind]))
        behind++;
    if (behind < f->source.text.n && strchr("\r\n#", f->source.text.at[behind]) == NULL)
        return false;
    struct strbuf out = {0};
    strbuf_addstr(&out, head);
    strbuf_adds(&out, line_end(f));
    strbuf_addstr(&out, indent);
    while (str_split(&rest, '\n', &line)) {
        if (str_trim(line).n)
            strbuf_addstr(&out, step);
        strbuf_addstr(&out, line);
        if (rest.n)
            strbuf_addc(&out, '\n');
    }
    struct str whole = strbuf_dup(&out, e->arena);
    strbuf_done(&out);
    vec_push(&e->kept, e->arena, span);
    return add(e, span, whole);
}

static bool add_argument(struct edits *e, uint32_t call, struct str text)
{
    const struct lint_file *f = e->match->file;
    const struct tree *t = &f->tree;
    uint32_t list = tree_kind(t, call) == PY_CALL ? tree_child(t, call, FIELD_ARGUMENTS) : 0;
    if (!list || tree_kind(t, list) != PY_ARGUMENTS ||
        (tree_node(t, list)->flags & PY_FLAG_HAS_DAMAGE))
        return false;
    uint32_t at = tree_node(t, list)->end - 1, last = 0;
    for (uint32_t c = tree_first(t, list); c; c = tree_next(t, c))
        last = c;
    if (!last)
        return add(e, (struct span){at, at}, text);
    uint32_t behind = tree_node(t, last)->end;
    struct str rest = str_sub(f->source.text, behind, at);
    if (str_find_byte(rest, '#') < rest.n)
        return false; /* a trailing comma may follow the new argument, a comment may not */
    struct strbuf piece = {0};
    strbuf_adds(&piece, ", ");
    strbuf_addstr(&piece, text);
    struct str whole = strbuf_dup(&piece, e->arena);
    strbuf_done(&piece);
    return add(e, (struct span){behind, behind}, whole);
}

static bool delete_argument(struct edits *e, uint32_t node)
{
    const struct tree *t = &e->match->file->tree;
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
    return add(e, span, STR(""));
}

/* May the node be replaced by text that is not one closed expression, such as `a + b`? */
static bool is_free_place(const struct tree *t, uint32_t node)
{
    static const uint8_t free_kinds[] = {
        PY_EXPRESSION_STATEMENT, PY_RETURN, PY_ARGUMENTS, PY_KEYWORD_ARGUMENT,
        PY_PARENTHESES,          PY_LIST,   PY_TUPLE,     PY_SET,
        PY_EXPRESSION_LIST};
    const struct tree_node *n = tree_node(t, node);
    enum py_kind parent = tree_kind(t, n->parent);
    if (parent == PY_ASSIGNMENT || parent == PY_AUGMENTED)
        return n->field == FIELD_RIGHT;
    for (size_t i = 0; i < COUNT_OF(free_kinds); i++)
        if (parent == free_kinds[i])
            return true;
    return false;
}

/* Would a line end here not end the statement? */
static bool is_in_brackets(const struct tree *t, uint32_t node)
{
    for (uint32_t n = tree_node(t, node)->parent; n && !py_is_statement(tree_kind(t, n));
         n = tree_node(t, n)->parent) {
        enum py_kind kind = tree_kind(t, n);
        if (kind == PY_ARGUMENTS || kind == PY_PARENTHESES || kind == PY_LIST || kind == PY_DICT ||
            kind == PY_SET || kind == PY_GENERATOR || kind == PY_LIST_COMPREHENSION)
            return true;
    }
    return false;
}

static struct str in_parentheses(struct str text, struct arena *a)
{
    return str_of(arena_printf(a, "(" STR_FMT ")", STR_ARG(text)));
}

static bool replace(struct edits *e, uint32_t node, struct str text)
{
    const struct tree *t = &e->match->file->tree;
    bool is_whole =
        check_text__is_closed(text) ||
        (is_free_place(t, node) && (!check_text__has_open_line(text) || is_in_brackets(t, node)));
    bool is_expression = py_is_expression(tree_kind(t, node));
    return add(e, tree_span(t, node),
               is_whole || !is_expression ? text : in_parentheses(text, e->arena));
}

/* Inserts text before or after a node; the node gets parentheses where the text would bind only its
 * end. */
static bool insert(struct edits *e, uint32_t node, struct str text, bool after)
{
    const struct tree *t = &e->match->file->tree;
    struct span span = tree_span(t, node), start = {span.start, span.start},
                end = {span.end, span.end};
    bool binds = after ? check_text__binds_before(text) : check_text__binds_behind(text);
    if (!binds || check_text__is_closed(tree_text(t, node)))
        return add(e, after ? end : start, text);
    if (after)
        return add(e, start, STR("(")) &&
               add(e, end, str_of(arena_printf(e->arena, ")" STR_FMT, STR_ARG(text))));
    return add(e, start, str_of(arena_printf(e->arena, STR_FMT "(", STR_ARG(text)))) &&
           add(e, end, STR(")"));
}

static bool carry_out(struct edits *e, const struct edit_step *step)
{
    uint32_t node = capture__node(e->match, step->at);
    struct check_expansion x = {e->match, e->check, node, e->arena, {0}, {0}};
    if (!node || !check_text__expand(&x, step->text))
        return false;
    for (size_t i = 0; i < x.kept.n; i++)
        vec_push(&e->kept, e->arena, x.kept.at[i]);
    switch (step->op) {
    case EDIT_REPLACE:
        return replace(e, node, x.text);
    case EDIT_BEFORE:
    case EDIT_AFTER:
        return insert(e, node, x.text, step->op == EDIT_AFTER);
    case EDIT_DELETE_STATEMENT:
        return delete_statement(e, node);
    case EDIT_ADD_ARGUMENT:
        return add_argument(e, node, x.text);
    case EDIT_DELETE_ARGUMENT:
        return delete_argument(e, node);
    case EDIT_LINE_BEFORE:
    case EDIT_LINE_AFTER:
        return insert_line(e, node, x.text, step->op == EDIT_LINE_AFTER);
    case EDIT_WRAP_STATEMENT:
        return wrap_statement(e, node, x.text);
    case N_EDIT_OPS:
        break;
    }
    return false;
}

static bool is_within(struct span inner, struct span outer)
{
    return inner.start >= outer.start && inner.end <= outer.end;
}

/* Does an edit remove a comment with the text it replaces? */
static bool loses_comment(const struct edits *e)
{
    const struct span_list *comments = &e->match->file->tree.comments;
    for (size_t i = 0; i < comments->n; i++) {
        bool gone = false, kept = false;
        for (size_t k = 0; k < e->list.n; k++)
            gone = gone || is_within(comments->at[i], e->list.at[k].span);
        for (size_t k = 0; gone && k < e->kept.n; k++)
            kept = kept || is_within(comments->at[i], e->kept.at[k]);
        if (gone && !kept)
            return true;
    }
    return false;
}

/* Carrying out a plan wherever its condition holds, with the captures that the condition bound. */
struct attempt {
    const struct check *check;
    const struct edit_plan *plan;
    struct finding *out;
    struct arena *arena;
};

static enum truth carry_out_plan(struct match *m, void *ctx)
{
    struct attempt *t = ctx;
    struct edits edits = {.match = m, .check = t->check, .arena = t->arena};
    bool ok = m->n_unsure == 0 || t->plan->safety == SAFETY_UNSAFE;
    for (size_t s = 0; s < t->plan->n_steps && ok; s++)
        ok = carry_out(&edits, &t->plan->steps[s]);
    if (!ok || !edits.list.n)
        return TRUTH_FALSE;
    t->out->fix.safety = loses_comment(&edits) ? SAFETY_UNSAFE : t->plan->safety;
    t->out->fix.title = check__expand(m, t->check, t->plan->title, t->arena);
    check__set_edits(m->file, edits.list.at, edits.list.n, t->out, t->arena);
    return TRUTH_TRUE;
}

void check__fix(struct match *m, const struct check *check, struct finding *out, struct arena *a)
{
    uint32_t kept = m->n_unsure;
    m->n_unsure = 0; /* counts the condition alone */
    for (size_t i = 0; i < check->n_edits && out->fix.safety == SAFETY_NONE; i++) {
        struct attempt t = {check, &check->edits[i], out, a};
        struct rest r = {.list = check->edits[i].when, .done = carry_out_plan, .ctx = &t};
        match_rest(m, &r);
    }
    m->n_unsure = kept;
}
