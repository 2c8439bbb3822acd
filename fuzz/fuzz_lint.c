/*
 * Any bytes through the whole lint of one file: every rule at low confidence and notes, and for one
 * text in eight with findings (chosen by its bytes, so that a crash repeats) fixes to a fixpoint.
 * The first byte chooses a notebook, a fragment or a file. What must hold besides "no crash": every
 * ERROR and MISSING node of the parser lies in the range of an SB901 note, places are real, and
 * findings come in order.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <tree_sitter/api.h>

#include "base/hash.h"
#include "lint/lint.h"

enum { CHOSEN_ONE_IN = 8, WORDS_MAX = 20000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const TSLanguage *tree_sitter_python(void);

struct session {
    struct rule_set *rules;
    struct selection *selection;
    struct linter *linter;
    struct py_parser *words; /* a parser of the checks' own */
    TSParser *parser;
    struct arena arena; /* of the selection */
    struct arena work;  /* memory of one input; the newest block is reused for the next */
};

static void open_session(struct session *s)
{
    struct err e = {0};
    const char *all = "ALL";
    struct choice choice = {.select = {&all, 1}, .fixable = {&all, 1}};
    struct rule_set_options options = {0};
    arena_init(&s->arena);
    arena_init(&s->work);
    if (!rule_set_new(&options, &s->rules, &e) ||
        !selection_new(s->rules, &choice, &s->arena, &s->selection, &e) ||
        !py_parser_open(&s->words, &e))
        abort();
    struct lint_options o = {.selection = s->selection,
                             .min_confidence = CONFIDENCE_LOW,
                             .no_prefilter = true,
                             .with_notes = true};
    s->linter = linter_new(s->rules, &o);
    s->parser = ts_parser_new();
    if (!ts_parser_set_language(s->parser, tree_sitter_python()))
        abort();
}

static bool is_marked(const struct file_report *r, uint32_t start, uint32_t end)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct finding *f = &r->findings[i];
        if (str_is(f->code, "SB901") && f->span.start <= start && f->span.end >= end)
            return true;
    }
    return false;
}

/* Is every damaged node of the parser's own tree marked? By its cursor. */
static bool are_marked(struct session *s, struct str text, const struct file_report *r)
{
    TSTree *tree = ts_parser_parse_string(s->parser, NULL, text.at, (uint32_t)text.n);
    TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
    bool more = ts_node_has_error(ts_tree_root_node(tree)), ok = true;
    while (more && ok) {
        TSNode node = ts_tree_cursor_current_node(&cursor);
        ok = !(ts_node_is_error(node) || ts_node_is_missing(node)) ||
             is_marked(r, ts_node_start_byte(node), ts_node_end_byte(node));
        if (ts_node_has_error(node) && ts_tree_cursor_goto_first_child(&cursor))
            continue;
        while (more && !ts_tree_cursor_goto_next_sibling(&cursor))
            more = ts_tree_cursor_goto_parent(&cursor);
    }
    ts_tree_cursor_delete(&cursor);
    ts_tree_delete(tree);
    return ok;
}

static void check_report(const struct file_report *r, size_t n_bytes)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct finding *f = &r->findings[i];
        if (!f->start.line || !f->start.column || f->span.start > f->span.end ||
            f->last_line < f->first_line || !f->message.n)
            abort();
        if (!r->is_notebook && f->start.offset > n_bytes)
            abort();
        if (i && finding_compare(f - 1, f) > 0)
            abort();
    }
}

/* The text that was analysed: as given, or with its damaged lines repaired. */
static bool read_text(struct session *s, const struct lint_input *in, struct arena *a,
                      struct str *out)
{
    struct source src;
    struct tree tree;
    struct err e;
    if (!source_open(&(struct source_input){in->path, in->bytes,
                                            in->is_notebook ? SOURCE_NOTEBOOK : SOURCE_FILE},
                     NULL, a, &src, &e) ||
        !tree_read(s->words, &src, a, &tree, &e))
        return false;
    *out = src.text;
    py_parser_trim(s->words, 0, WORDS_MAX);
    return true;
}

/* Usually nothing was repaired, so the given text is the analysed one, and one parse is enough. If
 * a damaged node seems unmarked, and for a share of the texts in any case, the analysed text is
 * parsed too. */
static void check_damage(struct session *s, const struct lint_input *in, bool is_chosen,
                         const struct file_report *r)
{
    struct str text;
    if (!is_chosen && !in->is_notebook && are_marked(s, in->bytes, r))
        return;
    if (read_text(s, in, &s->work, &text) && !are_marked(s, text, r))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct session s; /* kept between inputs: opening costs more than most of them */
    struct file_report r;
    struct str fixed;
    struct err e = {0};
    uint32_t n_applied;
    if (!size)
        return 0;
    if (!s.linter)
        open_session(&s);
    struct lint_input in = {.path = data[0] == 'T' ? STR("tests/test_input.py") : STR("input.py"),
                            .bytes = {(const char *)data + 1, size - 1},
                            .is_notebook = data[0] == 'N',
                            .is_stdin = data[0] == 'S'};
    linter_run(s.linter, &in, &s.work, &r);
    check_report(&r, in.bytes.n);
    bool is_chosen = hash_bytes64(in.bytes.at, in.bytes.n) % CHOSEN_ONE_IN == 0;
    if (!r.has_failed)
        check_damage(&s, &in, is_chosen, &r);
    struct fix_options fix = {.unsafe = true, .fixable = s.selection};
    if (r.n && !in.is_notebook && is_chosen)
        (void)!linter_fix(s.linter, &in, &fix, &s.work, &fixed, &n_applied, &r, &e);
    arena_reset(&s.work);
    return 0;
}
