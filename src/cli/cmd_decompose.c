/* assay decompose: what a program on a framework is made of. */
#include "base/file.h"
#include "cli/command.h"
#include "generate/corpus/repair.h"

enum { PROGRAM_MAX = 1 << 20, TEXT_MAX = 60 };

/* The first line of the node's text. */
static struct str brief(const struct reading *r, uint32_t node)
{
    struct str text = tree_text(&r->tree, node);
    return str_sub(str_sub(text, 0, str_find_byte(text, '\n')), 0, TEXT_MAX);
}

static void print_text(const struct reading *r)
{
    for (size_t i = 0; i < r->parts.n; i++) {
        const struct program_part *p = &r->parts.at[i];
        struct strbuf line = {0};
        strbuf_printf(&line, "%5u  %-10s %-32.*s " STR_FMT,
                      source_line_of(&r->source, tree_node(&r->tree, p->node)->start),
                      part_kind_name(p->kind), STR_ARG(p->symbol), STR_ARG(brief(r, p->node)));
        if (p->kind == PART_OPTIMIZER && p->model)
            strbuf_printf(&line, "  of " STR_FMT, STR_ARG(brief(r, p->model)));
        out_line(strbuf_str(&line));
        strbuf_done(&line);
    }
}

static void print_json(const struct reading *r)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    json_begin_array(&w);
    for (size_t i = 0; i < r->parts.n; i++) {
        const struct program_part *p = &r->parts.at[i];
        json_begin_object(&w);
        json_pair_cstr(&w, "part", part_kind_name(p->kind));
        json_pair_u64(&w, "line", source_line_of(&r->source, tree_node(&r->tree, p->node)->start));
        json_pair_str(&w, "symbol", p->symbol);
        json_pair_str(&w, "text", tree_text(&r->tree, p->node));
        if (p->kind == PART_OPTIMIZER) {
            json_pair_str(&w, "model", p->model ? tree_text(&r->tree, p->model) : STR(""));
            json_pair_str(&w, "oracle", p->row->oracle);
            json_pair_str(&w, "status", p->row->status);
        }
        json_end_object(&w);
    }
    json_end_array(&w);
    out_json(&text);
}

static bool decompose_file(const struct settings *s, struct reader *reader, int *exit_code,
                           struct err *e)
{
    struct str text;
    struct reading r;
    if (!file_read(s->args[0], PROGRAM_MAX, s->arena, &text, e))
        return false;
    if (settings_flag(s, SETTING_repair))
        text = program_repair(reader, text, s->arena);
    if (!reading_make(reader, text, s->arena, &r))
        return err_set(e, ERR_LIMIT, "%s: too large to be read", s->args[0]);
    if (r.tree.damage.n)
        return err_set(e, ERR_DATA, "%s: line %u: no Python", s->args[0],
                       source_line_of(&r.source, r.tree.damage.at[0].start));
    if (settings_want_json(s))
        print_json(&r);
    else
        print_text(&r);
    *exit_code = parts_next(&r.parts, PART_OPTIMIZER, NULL) ? EXIT_DONE : EXIT_INCONCLUSIVE;
    return true;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    struct reader reader;
    if (s->n_args != 1)
        return err_set(e, ERR_USAGE, "one Python file is expected, got %zu arguments", s->n_args);
    if (!reader_open(&reader, "torch", e))
        return false;
    bool ok = decompose_file(s, &reader, exit_code, e);
    reader_close(&reader);
    return ok;
}

const struct command command_decompose = {
    .name = "decompose",
    .arguments = "FILE.py",
    .summary = "show what a program on a framework is made of",
    .details = "Models, layers, input tensors, calls of optimisers with their arguments, "
               "training steps, places that need a device,\nand names that are not bound. Exit 2: "
               "no optimiser is called. --repair first makes devices the CPU and adds missing\n"
               "conventional imports, as generators do.",
    .examples = "  assay decompose train.py\n  assay decompose train.py --json",
    .run = run,
};
