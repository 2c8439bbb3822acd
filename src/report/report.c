/* Decides which formats there are, and what is read of a bug for them. Nothing is filed from here.
 */
#include "report/report.h"

#include "base/compiler.h"
#include "base/file.h"
#include "base/path.h"
#include "case/disk.h"
#include "report/machine_p.h"
#include "report/report_p.h"

static const struct report_format formats[] = {
#define FORMAT(name, extension, for_one, write, help) {name, help, extension, for_one, write},
#include "report/formats.def"
#undef FORMAT
};

const struct report_format *report_list(size_t *n)
{
    *n = COUNT_OF(formats);
    return formats;
}

const struct report_format *report_find(struct str name)
{
    for (size_t i = 0; i < COUNT_OF(formats); i++)
        if (str_is(name, formats[i].name))
            return &formats[i];
    return NULL;
}

static void load_case(struct report_bug *b, struct arena *a)
{
    struct tcase *c;
    struct err e;
    if (!b->folder)
        b->why_no_case = "no reproducer was kept";
    else if (case_read(b->folder, a, &c, &e))
        b->c = c;
    else
        b->why_no_case = arena_strdup(a, e.text);
}

static bool load_verdicts(struct report_bug *b, struct arena *a, struct err *e)
{
    const struct json *list;
    const char *path = b->folder ? path_join(a, b->folder, "verdicts.json") : NULL;
    b->verdicts = (struct verdicts){NULL, 0};
    if (!path || file_stat(path).kind != FILE_REGULAR)
        return true;
    if (!json_read_file(path, 1 << 24, a, &list, e))
        return false;
    b->verdicts.at = arena_new_array(a, struct verdict, list->n);
    for (size_t i = 0; i < list->n; i++)
        if (!verdict_from_json(&list->items[i], a, &b->verdicts.at[b->verdicts.n++], e))
            return err_wrap(e, "%s", path);
    return true;
}

static bool load_sandbox(struct store *s, struct report_bug *b, struct arena *a, struct err *e)
{
    struct store_campaigns all;
    if (!store_campaigns(s, a, &all, e))
        return false;
    for (size_t i = 0; i < all.n; i++)
        if (all.at[i].id == b->row.campaign)
            b->sandbox = all.at[i].sandbox;
    return true;
}

bool report_bug_load(struct store *s, const struct store_bug *row, const char *out_dir,
                     struct arena *a, struct report_bug *out, struct err *e)
{
    enum { FAILURES_SHOWN = 20 };
    *out = (struct report_bug){.row = *row};
    if (row->folder.n) {
        const char *folder = path_join(a, out_dir, str_dup(a, row->folder));
        if (file_stat(folder).kind == FILE_DIRECTORY)
            out->folder = folder;
    }
    load_case(out, a);
    return load_verdicts(out, a, e) && load_sandbox(s, out, a, e) &&
           machine__read(out->folder, a, &out->machine, e) &&
           store_runs(s, row->id, a, &out->runs, e) &&
           store_failures(s, row->campaign, row->id, FAILURES_SHOWN, a, &out->failures, e) &&
           store_events(s, row->id, a, &out->events, e);
}

static bool write_one(const struct report_bug *bug, const char *version, const char *format,
                      const char *name, struct err *e)
{
    const struct report r = {.bugs = bug, .n = 1, .one = true, .version = version};
    struct strbuf text = {0};
    struct arena a;
    arena_init(&a);
    bool ok = report_find(str_of(format))->write(&r, &text, e) &&
              file_write(path_join(&a, bug->folder, name), text.at, text.n, e);
    strbuf_done(&text);
    arena_done(&a);
    return ok;
}

bool report_write_folder(const struct report_bug *bug, const char *version, struct err *e)
{
    struct report_bug here = *bug;
    struct arena a;
    if (!bug->folder)
        return err_set(e, ERR_DATA, "bug " STR_FMT ": its folder is gone", STR_ARG(bug->row.id));
    arena_init(&a);
    bool ok = machine__write(bug->folder, e) && machine__read(bug->folder, &a, &here.machine, e) &&
              write_one(&here, version, "script", "reproduce.py", e) &&
              write_one(&here, version, "md", "report.md", e);
    arena_done(&a);
    return ok;
}
