/*
 * Any bytes through the whole of src/python: source, tree, names, control flow, def-use, types,
 * summaries, edits. The first byte chooses whether the rest is a file or a notebook. A small table
 * of APIs stands in for the program's data, so that types and events have something to find.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "python/edit.h"
#include "python/summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct api_row rows[] = {
    {.name = "torch.nn.Module", .makes = TYPE_MODULE, .subject = SUBJECT_RESULT},
    {.name = "torch.optim.SGD", .makes = TYPE_OPTIMIZER, .subject = 0, .subject_name = "params"},
    {.name = "torch.no_grad", .makes = TYPE_REGION, .traits = UINT64_C(1) << TRAIT_AT_NO_GRAD},
    {.name = "builtins.enumerate", .traits = UINT64_C(1) << TRAIT_AT_IDENTITY},
    {.name = "backward", .form = API_METHOD, .role = ROLE_BACKWARD, .subject = SUBJECT_RECEIVER},
    {.name = "step",
     .form = API_METHOD,
     .receiver = TYPE_OPTIMIZER,
     .role = ROLE_STEP,
     .subject = SUBJECT_RECEIVER},
    {.name = "to",
     .form = API_METHOD,
     .traits = UINT64_C(1) << TRAIT_AT_IDENTITY,
     .subject = SUBJECT_RECEIVER},
    {.name = "parameters",
     .form = API_METHOD,
     .receiver = TYPE_MODULE,
     .makes = TYPE_PARAMETERS,
     .subject = SUBJECT_RECEIVER},
    {.name = "grad", .form = API_ATTRIBUTE, .role = ROLE_READ_GRADIENT, .role_if_false = ROLE_ZERO},
};
static const struct api_name names_table[] = {{"nn", "torch.nn", TYPE_UNKNOWN},
                                              {"model", NULL, TYPE_MODULE}};

struct session {
    struct py_parser *parser;
    struct paths *paths;
    struct api_table *api;
    size_t n_words, n_paths;
    struct arena work; /* memory of one input; the newest block is reused for the next */
};

static void open_session(struct session *s)
{
    struct err e;
    if (!py_parser_open(&s->parser, &e))
        abort();
    arena_init(&s->work);
    s->paths = paths_new(s->parser);
    if (!api_table_new(
            s->paths, s->parser,
            &(struct api_facts){rows, COUNT_OF(rows), names_table, COUNT_OF(names_table)}, &s->api,
            &e))
        abort();
    s->n_words = py_parser_word_count(s->parser);
    s->n_paths = paths_count(s->paths);
}

/* What holds for every tree: preorder, exact extents, children inside their parents. */
static void check_tree(const struct tree *t)
{
    for (uint32_t n = 1; n < t->n_nodes; n++) {
        const struct tree_node *node = &t->nodes[n], *above = &t->nodes[node->parent];
        if (node->parent >= n || node->next <= n || node->next > above->next ||
            node->start > node->end || node->end > t->source->text.n)
            abort();
        if (node->kind == PY_ERROR && !t->damage.n)
            abort();
    }
}

static void check_places(const struct source *s)
{
    for (uint32_t at = 0; at <= s->text.n; at += 1 + (uint32_t)s->text.n / 64) {
        struct source_place p = source_place(s, at);
        if (!p.line || !p.column)
            abort();
    }
}

/* Each summary must come back from its bytes; damaged bytes must be refused or read, never worse.
 */
static void check_summary(const struct types *k, struct session *s, struct arena *a)
{
    struct file_summary built, back;
    struct strbuf bytes = {0};
    struct err e;
    summary_build(k, a, &built);
    summary_write(&built, s->paths, s->parser, &bytes);
    if (!summary_read(strbuf_str(&bytes), s->paths, s->parser, a, &back, &e) ||
        back.n_functions != built.n_functions)
        abort();
    if (bytes.n > 8) {
        bytes.at[bytes.n / 2] ^= 0x55;
        (void)!summary_read(strbuf_str(&bytes), s->paths, s->parser, a, &back, &e);
    }
    struct summary_set *set = summary_set_new();
    summary_set_add(set, &built);
    summary_set_link(set, s->paths);
    summary_set_free(set);
    strbuf_done(&bytes);
}

static void analyse(struct session *s, const struct source *src, const struct tree *t,
                    struct arena *a)
{
    struct names n;
    struct names_options options = {.module = STR("fuzz.input")};
    struct types k;
    struct strbuf out = {0};
    options.conventions = api_conventions(s->api, &options.n_conventions);
    check_tree(t);
    check_places(src);
    names_build(t, s->paths, &options, a, &n);
    types_build(&n, s->api, NULL, a, &k);
    if (t->n_nodes < 20000) {
        tree_dump(t, &out);
        names_dump(&n, &out);
        types_dump(&k, &out);
        for (uint32_t i = 0; i < n.n_scopes; i++) {
            if (n.scopes[i].kind == SCOPE_COMPREHENSION || !types_cfg(&k, i))
                continue;
            cfg_dump(types_cfg(&k, i), &out);
            flow_dump(types_flow(&k, i), &out);
        }
    }
    check_summary(&k, s, a);
    strbuf_done(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct session s; /* kept between inputs: opening costs more than most of them */
    struct source src;
    struct tree t;
    struct err e;
    if (!size)
        return 0;
    if (!s.parser)
        open_session(&s);
    struct str text = {(const char *)data + 1, size - 1};
    struct source_limits limits = {.max_steps = 200000};
    if (source_open(&(struct source_input){STR("input.py"), text,
                                           data[0] == 'N' ? SOURCE_NOTEBOOK : SOURCE_FILE},
                    &limits, &s.work, &src, &e) &&
        tree_read(s.parser, &src, &s.work, &t, &e))
        analyse(&s, &src, &t, &s.work);
    arena_reset(&s.work);
    py_parser_trim(s.parser, s.n_words, 20000);
    paths_trim(s.paths, s.n_paths);
    return 0;
}
