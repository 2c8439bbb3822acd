/*
 * Messages of findings: a template with the captured source text put in, each shortened to one
 * line. For an event its object is put in, which need not be an expression in the source.
 */
#include "lint/check_p.h"
#include "lint/rule_p.h"

/* The expression that names the object of an event: `optimizer` of optimizer.step(), `model` of
 * model(x); 0: there is none. */
static uint32_t subject_of(const struct lint_file *f, uint32_t node)
{
    if (tree_kind(&f->tree, node) != PY_CALL)
        return 0;
    struct call_fact call = types_call(&f->types, node);
    return call.subject ? call.subject : tree_child(&f->tree, node, FIELD_FUNCTION);
}

/* The argument of a call that is the object; 0: none. */
static uint32_t argument_of(const struct lint_file *f, uint32_t call, uint32_t object)
{
    uint32_t list = tree_child(&f->tree, call, FIELD_ARGUMENTS);
    for (uint32_t c = list ? tree_first(&f->tree, list) : 0; c; c = tree_next(&f->tree, c)) {
        bool is_keyword = tree_kind(&f->tree, c) == PY_KEYWORD_ARGUMENT;
        uint32_t value = is_keyword ? tree_child(&f->tree, c, FIELD_VALUE) : c;
        if (value && types_object(&f->types, value) == object)
            return value;
    }
    return 0;
}

/* Adds the text as one line of at most 60 bytes. */
static void add_line(struct str text, struct strbuf *out)
{
    bool blank = false;
    size_t n = 0;
    for (size_t i = 0; i < text.n && n < 60; i++) {
        bool is_blank =
            text.at[i] == ' ' || text.at[i] == '\n' || text.at[i] == '\t' || text.at[i] == '\r';
        if (is_blank && !blank)
            strbuf_addc(out, ' ');
        else if (!is_blank)
            strbuf_addc(out, text.at[i]);
        n += !is_blank || !blank;
        blank = is_blank;
    }
    if (n >= 60)
        strbuf_adds(out, "...");
}

static void add_capture_text(const struct match *m, uint8_t capture, struct strbuf *out)
{
    const struct capture *c = &m->captures[capture];
    const struct lint_file *f = m->file;
    struct strbuf text = {0};
    uint32_t subject = c->kind == CAPTURE_OBJECT ? subject_of(f, c->node) : c->node;
    bool is_of_callee = c->kind == CAPTURE_OBJECT && c->object != OBJECT_NONE && subject &&
                        types_object(&f->types, subject) != c->object;
    if (c->kind == CAPTURE_UNBOUND)
        return;
    if (is_of_callee) /* evaluate(model): the call does it to an argument */
        subject = argument_of(f, c->node, c->object);
    if (subject)
        strbuf_addstr(&text, tree_text(&f->tree, subject));
    else
        types_object_text(&f->types, c->object, &text);
    add_line(strbuf_str(&text), out);
    strbuf_done(&text);
}

struct str check__expand(const struct match *m, const struct check *check, struct str text,
                         struct arena *a)
{
    struct strbuf out = {0};
    struct str plain, name;
    while (template_next(&text, &plain, &name)) {
        strbuf_addstr(&out, plain);
        if (name.at[0] == '@')
            strbuf_addstr(&out, m->note);
        for (uint32_t i = 0; i < check->n_captures; i++) {
            if (str_eq(check->capture_names[i], name))
                add_capture_text(m, (uint8_t)i, &out);
        }
    }
    strbuf_addstr(&out, plain);
    struct str result = strbuf_dup(&out, a);
    strbuf_done(&out);
    return result;
}
