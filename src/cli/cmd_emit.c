/* assay emit: writes a model as a plain program of a framework; counts which of several models can
 * be written and what the others lack. */
#include "base/map.h"
#include "cli/command.h"
#include "emit/emit.h"
#include "onnx/check.h"
#include "onnx/infer.h"
#include "onnx/io.h"

static bool read_model(const char *path, struct arena *a, struct model **out, struct err *e)
{
    if (!model_read_file(path, a, out, e))
        return false;
    return (check_model(*out, e) && infer_model(*out, e)) || err_wrap(e, "%s", path);
}

static bool emit_one(const struct settings *s, struct err *e)
{
    struct model *m;
    struct program p;
    if (!read_model(s->args[0], s->arena, &m, e))
        return false;
    if (!emit_program(m, str_of(settings_text(s, SETTING_emit_as)), EMIT_WEIGHTS_INLINE, s->arena,
                      &p, e))
        return err_wrap(e, "%s", s->args[0]);
    if (settings_want_json(s)) {
        struct strbuf text = {0};
        struct json_out w = json_open(&text, JSON_PRETTY);
        json_begin_object(&w);
        json_pair_str(&w, "framework", p.framework);
        json_pair_str(&w, "entry", p.entry);
        json_pair_str(&w, "source", p.source);
        json_end_object(&w);
        out_json(&text);
        return true;
    }
    out_put(p.source);
    return true;
}

static int more_first(const void *a, const void *b)
{
    const struct map_entry *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    return str_cmp(x->key, y->key);
}

static void print_counts(const struct settings *s, size_t n_whole, struct map *why)
{
    const char *framework = settings_text(s, SETTING_emit_as);
    if (why->entries.n)
        qsort(why->entries.at, why->entries.n, sizeof *why->entries.at, more_first);
    if (settings_want_json(s)) {
        struct strbuf text = {0};
        struct json_out w = json_open(&text, JSON_PRETTY);
        json_begin_object(&w);
        json_pair_cstr(&w, "framework", framework);
        json_pair_u64(&w, "models", s->n_args);
        json_pair_u64(&w, "whole", n_whole);
        json_key(&w, "lacking");
        json_begin_object(&w);
        for (size_t i = 0; i < why->entries.n; i++)
            json_pair_u64(&w, str_dup(s->arena, why->entries.at[i].key), why->entries.at[i].value);
        json_end_object(&w);
        json_end_object(&w);
        out_json(&text);
        return;
    }
    for (size_t i = 0; i < why->entries.n; i++)
        out_putf("%6llu  " STR_FMT "\n", (unsigned long long)why->entries.at[i].value,
                 STR_ARG(why->entries.at[i].key));
    out_putf("%zu of %zu models can be written for %s whole\n", n_whole, s->n_args, framework);
}

static bool emit_many(const struct settings *s, int *exit_code, struct err *e)
{
    struct str framework = str_of(settings_text(s, SETTING_emit_as));
    struct map why = {0};
    struct arena a;
    size_t n_whole = 0;
    bool ok = true;
    arena_init(&a);
    for (size_t i = 0; ok && i < s->n_args; i++) {
        struct model *m;
        struct program p;
        bool added;
        arena_reset(&a);
        ok = read_model(s->args[i], &a, &m, e);
        if (ok && emit_program(m, framework, EMIT_WEIGHTS_BESIDE, &a, &p, e))
            n_whole++;
        else if (ok && (ok = e->code == ERR_UNSUPPORTED))
            ++*map_at(&why, s->arena, str_of(e->text), &added);
    }
    arena_done(&a);
    if (!ok)
        return false;
    print_counts(s, n_whole, &why);
    *exit_code = n_whole == s->n_args ? EXIT_DONE : EXIT_INCONCLUSIVE;
    return true;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    if (s->n_args == 0)
        return err_set(e, ERR_USAGE, "a model is expected; see assay emit --help");
    return s->n_args == 1 ? emit_one(s, e) : emit_many(s, exit_code, e);
}

const struct command command_emit = {
    .name = "emit",
    .arguments = "MODEL.onnx...",
    .summary = "write a model as a plain program of a framework",
    .details = "One operator per line, weights in the source; the program needs the framework and "
               "nothing else. With several models\n"
               "only counts are printed: how many can be written, and which operator the others "
               "fail at. Exit 2 when an\n"
               "operator cannot be written.",
    .examples = "  assay emit model.onnx --as torch > model.py\n  assay emit mutants/*/model.onnx",
    .run = run,
};
