/* assay corpus: imports, lists, shows, counts, screens, translates and compares issues as records.
 */
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/path.h"
#include "cli/campaign.h"
#include "cli/command.h"
#include "cli/corpus_programs.h"
#include "generate/corpus/record.h"
#include "generate/corpus/repair.h"
#include "generate/transfer/core_api.h"

static void put_imported(const struct settings *s, const struct issue_corpus *found)
{
    if (settings_want_json(s)) {
        struct strbuf text = {0};
        struct json_out w = json_open(&text, JSON_PRETTY);
        json_begin_object(&w);
        json_pair_u64(&w, "imported", found->records.n);
        json_pair_u64(&w, "without_program", found->n_without_code);
        json_pair_u64(&w, "twice", found->n_twice);
        json_pair_u64(&w, "unreadable", found->n_unreadable);
        json_end_object(&w);
        out_json(&text);
        return;
    }
    out_putf("%zu %s imported; %zu without a program, %zu twice, %zu not readable\n",
             found->records.n, found->records.n == 1 ? "record" : "records", found->n_without_code,
             found->n_twice, found->n_unreadable);
}

/* Name of the records of one file or folder: the same path replaces them, another one adds to them.
 */
static bool name_of_import(const struct settings *s, const char *path, const char **out,
                           struct err *e)
{
    const char *whole;
    char hex[HASH_HEX_SIZE];
    if (!file_absolute(s->arena, path, &whole, e))
        return false;
    struct hash hash = hash_of(whole, strlen(whole));
    hash_to_hex(&hash, hex);
    *out = arena_printf(s->arena, "%s-%.8s.jsonl",
                        path_encode_name(s->arena, path_base(str_of(whole))), hex);
    return true;
}

static bool corpus_import(const struct settings *s, struct err *e)
{
    struct campaign_place place;
    struct issue_corpus found = {0};
    struct strbuf text = {0};
    const char *name;
    if (!campaign_find(s, &place, e) || !name_of_import(s, s->args[1], &name, e) ||
        !issue_corpus_add(&found, s->args[1], s->arena, e))
        return false;
    for (size_t i = 0; i < found.records.n; i++)
        issue_record_write(&found.records.at[i], &text);
    const char *folder = path_join(s->arena, place.home, "corpus");
    bool ok = file_make_dirs(folder, e) &&
              file_write(path_join(s->arena, folder, name), text.at ? text.at : "", text.n, e);
    strbuf_done(&text);
    if (ok)
        put_imported(s, &found);
    return ok;
}

static bool corpus_list(const struct settings *s, struct err *e)
{
    struct issue_corpus all;
    struct strbuf text = {0};
    if (!corpus_load(s, &all, e))
        return false;
    for (size_t i = 0; i < all.records.n; i++) {
        const struct issue_record *r = &all.records.at[i];
        if (settings_want_json(s)) {
            issue_record_write(r, &text);
            continue;
        }
        struct str line = str_of(arena_printf(s->arena, "%-36.*s %-11s " STR_FMT, STR_ARG(r->id),
                                              issue_category_name(r->category), STR_ARG(r->title)));
        out_line(line);
    }
    out_put(strbuf_str(&text));
    strbuf_done(&text);
    return true;
}

static bool corpus_show(const struct settings *s, struct err *e)
{
    const struct issue_record *r;
    struct reader reader;
    if (!corpus_find(s, &r, e))
        return false;
    struct str code = r->code;
    bool is_tensorflow = str_is(r->framework, "tensorflow") || str_is(r->framework, "keras");
    if (settings_flag(s, SETTING_repair)) {
        if (!reader_open(&reader, is_tensorflow ? "tensorflow" : "torch", e))
            return false;
        code = program_repair(&reader, code, s->arena);
        reader_close(&reader);
    }
    if (settings_want_json(s)) {
        struct issue_record shown = *r;
        struct strbuf text = {0};
        shown.code = code;
        issue_record_write(&shown, &text);
        out_put(strbuf_str(&text));
        strbuf_done(&text);
        return true;
    }
    out_line(
        str_of(arena_printf(s->arena, STR_FMT "  " STR_FMT, STR_ARG(r->id), STR_ARG(r->title))));
    out_line(str_of(arena_printf(s->arena, STR_FMT "  %s  " STR_FMT, STR_ARG(r->url),
                                 issue_category_name(r->category), STR_ARG(r->error))));
    out_putf("\n");
    out_put(code);
    return true;
}

struct tally {
    size_t n, n_parsed, n_with_optimizer, n_with_model, n_with_input;
    size_t categories[CATEGORY_COUNT];
};

static void count(struct reader *reader, const struct issue_record *r, struct tally *t)
{
    struct arena a;
    struct reading read;
    arena_init(&a);
    t->n++;
    t->categories[r->category]++;
    if (reading_make(reader, program_repair(reader, r->code, &a), &a, &read) &&
        !read.tree.damage.n) {
        t->n_parsed++;
        t->n_with_optimizer += parts_next(&read.parts, PART_OPTIMIZER, NULL) != NULL;
        t->n_with_model += parts_next(&read.parts, PART_MODEL, NULL) != NULL;
        t->n_with_input += parts_next(&read.parts, PART_INPUT, NULL) != NULL;
    }
    arena_done(&a);
}

static void put_tally(size_t n_all, struct str framework, const struct tally *t)
{
    out_putf("%zu records; %zu of " STR_FMT ": %zu parse, %zu call an optimiser, %zu have a model, "
             "%zu an input\n",
             n_all, t->n, STR_ARG(framework), t->n_parsed, t->n_with_optimizer, t->n_with_model,
             t->n_with_input);
    for (unsigned i = 0; i < CATEGORY_COUNT; i++)
        out_putf("  %-12s %zu\n", issue_category_name((enum issue_category)i), t->categories[i]);
}

static void put_tally_json(size_t n_all, struct str framework, const struct tally *t)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_PRETTY);
    json_begin_object(&w);
    json_pair_i64(&w, "records", (int64_t)n_all);
    json_pair_str(&w, "framework", framework);
    json_pair_i64(&w, "of_framework", (int64_t)t->n);
    json_pair_i64(&w, "parsed", (int64_t)t->n_parsed);
    json_pair_i64(&w, "with_optimizer", (int64_t)t->n_with_optimizer);
    json_pair_i64(&w, "with_model", (int64_t)t->n_with_model);
    json_pair_i64(&w, "with_input", (int64_t)t->n_with_input);
    json_key(&w, "categories");
    json_begin_object(&w);
    for (unsigned i = 0; i < CATEGORY_COUNT; i++)
        json_pair_i64(&w, issue_category_name((enum issue_category)i), (int64_t)t->categories[i]);
    json_end_object(&w);
    json_end_object(&w);
    out_json(&text);
}

static bool corpus_stats(const struct settings *s, struct err *e)
{
    struct issue_corpus all;
    struct reader reader;
    struct tally t = {0};
    if (!corpus_load(s, &all, e) || !reader_open(&reader, "torch", e))
        return false;
    for (size_t i = 0; i < all.records.n; i++)
        if (str_eq(all.records.at[i].framework, reader.table.framework))
            count(&reader, &all.records.at[i], &t);
    (settings_want_json(s) ? put_tally_json : put_tally)(all.records.n, reader.table.framework, &t);
    reader_close(&reader);
    return true;
}

/* Mirrors: issues of two frameworks about the same function ------------------------------------*/

/* The core API of an issue, and a verified pair of it. */
struct issue_api {
    const struct issue_record *issue;
    const struct pair_row *pair;
    bool is_first; /* of the pair's first side */
};

typedef VEC(struct issue_api) issue_apis;

static void add_api(const struct pair_files *pairs, const struct issue_record *r, struct str api,
                    struct arena *a, issue_apis *out)
{
    for (size_t i = 0; i < pairs->n; i++)
        for (size_t k = 0; k < pairs->at[i].n; k++) {
            const struct pair_row *p = &pairs->at[i].rows[k];
            bool first = pair_has_name(p->names_a, api);
            if (p->is_verified && (first || pair_has_name(p->names_b, api)))
                vec_push(out, a, (struct issue_api){r, p, first});
        }
}

static bool find_apis(const struct issue_corpus *all, const struct pair_files *pairs,
                      struct arena *a, issue_apis *out, struct err *e)
{
    static const char *const frameworks[] = {"torch", "tensorflow"};
    struct reader readers[COUNT_OF(frameworks)];
    size_t n = 0;
    while (n < COUNT_OF(frameworks) && reader_open(&readers[n], frameworks[n], e))
        n++;
    for (size_t i = 0; n == COUNT_OF(frameworks) && i < all->records.n; i++) {
        const struct issue_record *r = &all->records.at[i];
        add_api(pairs, r, core_api_in_pairs(core_api_of(r, readers, n, a), a), a, out);
    }
    for (size_t i = 0; i < n; i++)
        reader_close(&readers[i]);
    return n == COUNT_OF(frameworks);
}

static void put_mirror_json(const struct issue_api *x, const struct issue_api *y,
                            struct json_out *w)
{
    json_begin_object(w);
    json_pair_str(w, "op", x->pair->op);
    json_pair_str(w, "a", x->pair->a);
    json_pair_str(w, "b", x->pair->b);
    json_pair_str(w, "issue_a", x->issue->id);
    json_pair_str(w, "issue_b", y->issue->id);
    json_end_object(w);
}

static void put_mirror(const struct issue_api *x, const struct issue_api *y, struct strbuf *text)
{
    strbuf_printf(text, STR_FMT " = " STR_FMT "\n", STR_ARG(x->pair->a), STR_ARG(x->pair->b));
    for (size_t i = 0; i < 2; i++) {
        const struct issue_record *r = (i ? y : x)->issue;
        strbuf_printf(text, "    " STR_FMT "  " STR_FMT "\n", STR_ARG(r->id), STR_ARG(r->title));
    }
}

static bool corpus_mirrors(const struct settings *s, struct err *e)
{
    struct issue_corpus all;
    struct pair_files pairs;
    issue_apis found = {0};
    struct strbuf text = {0};
    size_t n = 0;
    if (!corpus_load(s, &all, e) || !pairs_load(NULL, s->arena, &pairs, e) ||
        !find_apis(&all, &pairs, s->arena, &found, e))
        return false;
    bool as_json = settings_want_json(s);
    struct json_out w = json_open(&text, JSON_PRETTY);
    if (as_json)
        json_begin_array(&w);
    for (size_t i = 0; i < found.n; i++) {
        const struct issue_api *x = &found.at[i];
        for (size_t k = 0; x->is_first && k < found.n; k++) {
            const struct issue_api *y = &found.at[k];
            if (y->is_first || y->pair != x->pair)
                continue;
            n++;
            if (as_json)
                put_mirror_json(x, y, &w);
            else
                put_mirror(x, y, &text);
        }
    }
    if (as_json) {
        json_end_array(&w);
        out_json(&text);
        return true;
    }
    strbuf_printf(&text, "%zu pairs of issues are about paired functions\n", n);
    out_put(strbuf_str(&text));
    strbuf_done(&text);
    return true;
}

static bool run(const struct settings *s, int *exit_code, struct err *e)
{
    static const struct {
        const char *name;
        bool (*run)(const struct settings *s, struct err *e);
        const char *argument; /* what follows the verb; NULL: nothing */
    } actions[] = {{"import", corpus_import, "file or folder"},
                   {"list", corpus_list, NULL},
                   {"show", corpus_show, "id (`corpus list` prints them)"},
                   {"stats", corpus_stats, NULL},
                   {"screen", corpus_screen, NULL},
                   {"translate", corpus_translate, "id (`corpus list` prints them) or \"all\""},
                   {"mirrors", corpus_mirrors, NULL}};
    (void)exit_code;
    const char *wanted = s->n_args ? s->args[0] : "list";
    for (size_t i = 0; i < COUNT_OF(actions); i++) {
        const char *argument = actions[i].argument;
        if (strcmp(wanted, actions[i].name) != 0)
            continue;
        if (argument && s->n_args != 2)
            return err_set(e, ERR_USAGE, "corpus %s: one %s is expected", wanted, argument);
        if (!argument && s->n_args > 1)
            return err_set(e, ERR_USAGE, "corpus %s: \"%s\" is not expected", wanted, s->args[1]);
        return actions[i].run(s, e);
    }
    return err_set(e, ERR_USAGE,
                   "\"%s\": import, list, show, stats, screen, translate and mirrors are known",
                   wanted);
}

const struct command command_corpus = {
    .name = "corpus",
    .arguments = "[import PATH|list|show ID|stats|screen|translate ID|mirrors]",
    .summary = "issues of frameworks as records: what generators of programs start from",
    .details =
        "import reads JSON lines, an answer of GitHub's issue or search interface, or a "
        "folder of .py files, and keeps the records\nbelow $ASSAY_HOME/corpus. A default "
        "corpus is part of assay. show --repair prints the program as generators use "
        "it.\nscreen says which issues can be translated to the framework of --to, and why "
        "others cannot; translate prints one, or says of all what becomes of "
        "them.\nWith --llm a language model translates what the screening keeps, told what the "
        "verified pairs know; its program is checked and\nasked for once more. --without "
        "distinction tells it nothing.\nmirrors lists the issues of two frameworks "
        "whose core functions (called last) are verified to do the same.",
    .examples = "  assay corpus stats\n  assay corpus import issues.json\n  assay corpus show "
                "'pytorch/pytorch#31192'",
    .run = run,
};
