/*
 * absence: nothing that fits a description is in the file, a function, or a captured node. A node
 * that only might fit makes the answer unknown; so do a star import and dynamic names for qualified
 * names.
 */
#include "lint/predicate_p.h"

struct absence_predicate {
    struct node_pattern_list of;
    uint8_t within;
    bool is_function;
    bool is_plain;    /* no description names a capture */
    bool whole_words; /* any identifier or string with this text counts too */
    const struct str *like;
    size_t n_like;
};

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct absence_predicate *f = arena_new(c->arena, struct absence_predicate);
    *out = f;
    f->is_function = json_get_bool(j, "function", false);
    if (!node_pattern__compile_list(c, j, "absence", &f->of, e) ||
        !compile__capture(c, j, "in", &f->within, e) ||
        !compile__strings(c, j, "word", &f->like, &f->n_like, e))
        return false;
    f->is_plain = true;
    for (size_t i = 0; i < f->of.n; i++)
        f->is_plain =
            f->is_plain && f->of.at[i].same == CAPTURE_NO && f->of.at[i].node_is == CAPTURE_NO;
    return true;
}

static enum truth present(struct match *m, const struct node_pattern *s, uint32_t above)
{
    const struct tree *t = &m->file->tree;
    struct node_vec list = {0};
    struct arena_mark mark = arena_mark(m->file->scratch);
    enum truth result = TRUTH_FALSE;
    bool only_attributes = s->n_attributes && !s->n_methods;
    if (s->nodes[0] || s->nodes[1]) {
        for (uint32_t n = above; n < tree_node(t, above)->next; n++) {
            unsigned k = tree_kind(t, n);
            if ((s->nodes[k / 64] >> (k % 64)) & 1)
                vec_push(&list.list, m->file->scratch, n);
        }
    } else {
        if (!only_attributes)
            node_pattern__candidates(m, s, false, &list);
        if (!s->n_methods && !s->roles && (s->n_paths || s->n_attributes || s->n_names))
            node_pattern__candidates(m, s, true, &list);
    }
    for (size_t i = 0; i < list.list.n && result != TRUTH_TRUE; i++)
        if (tree_is_in(t, list.list.at[i], above))
            result = truth_or(result, node_pattern__test(m, s, list.list.at[i]).truth);
    arena_return(m->file->scratch, mark);
    return result;
}

/* Is there an identifier like a pattern? It is evidence that another way does the same. */
static enum truth has_word_like(struct match *m, const struct absence_predicate *f, uint32_t above)
{
    const struct tree *t = &m->file->tree;
    uint32_t end = tree_node(t, above)->next;
    if (f->n_like && above == 0) {
        file__words(m->file);
        for (uint32_t i = 0; i < m->file->n_distinct; i++)
            if (match_is_like(f->like, f->n_like, py_parser_text(t->parser, m->file->words[i])))
                return TRUTH_TRUE;
        return TRUTH_FALSE;
    }
    for (uint32_t n = above; f->n_like && n < end; n++) {
        uint32_t word = tree_node(t, n)->word;
        if (word != WORD_NONE && match_is_like(f->like, f->n_like, py_parser_text(t->parser, word)))
            return TRUTH_TRUE;
    }
    return TRUTH_FALSE;
}

static enum truth find(struct match *m, const struct absence_predicate *f, uint32_t above)
{
    enum truth t = TRUTH_FALSE;
    for (size_t i = 0; i < f->of.n && t != TRUTH_TRUE; i++)
        t = truth_or(t, present(m, &f->of.at[i], above));
    return t == TRUTH_TRUE ? t : truth_or(t, has_word_like(m, f, above));
}

/* The answer for the whole file, which is the same for every match. */
static enum truth find_once(struct match *m, const struct absence_predicate *f)
{
    struct file_answer *at = &m->file->answers[((uintptr_t)f >> 4) % COUNT_OF(m->file->answers)];
    if (at->asker != f)
        *at = (struct file_answer){f, find(m, f, 0)};
    return at->truth;
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct absence_predicate *f = data;
    uint32_t above = capture__node(m, f->within);
    if (f->is_function && above)
        above = tree_function(&m->file->tree, above);
    enum truth t = above || !f->is_plain ? find(m, f, above) : find_once(m, f);
    if (t == TRUTH_FALSE && (m->file->facts & FILE_FACT_STAR_IMPORT))
        t = TRUTH_UNKNOWN;
    return match_go(m, CONFIDENCE_HIGH, truth_not(t), r);
}

static const char *const keys[] = {"absence", "in", "function", "word"};
const struct predicate_kind predicate__absence = {"absence", keys, COUNT_OF(keys), compile, run};
