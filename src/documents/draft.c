/* Decides what a draft says, and in which order. Must not know how defects are found. */
#include "documents/draft.h"

#include "base/compiler.h"
#include "base/share.h"
#include "documents/judged.h"

enum { TITLE_MAX = 120 };

struct drafting {
    struct str framework;
    const struct judged *all;
    const struct judged_row *row;
    struct strbuf *out;
};

static void put_where(const struct drafting *d)
{
    strbuf_printf(d->out, "`" STR_FMT "`\n", STR_ARG(d->row->api));
}

static void put_sentence(const struct drafting *d)
{
    struct str rest = d->row->sentence, line;
    strbuf_adds(d->out, "The document says:\n\n");
    while (str_split(&rest, '\n', &line))
        strbuf_printf(d->out, "> " STR_FMT "\n", STR_ARG(line));
}

static void put_happens(const struct drafting *d)
{
    strbuf_printf(d->out, "What happens: " STR_FMT ".\n", STR_ARG(d->row->happens));
}

static void put_script(const struct drafting *d)
{
    strbuf_adds(d->out, "```python\n");
    for (size_t i = 0; i < d->row->n_script; i++)
        strbuf_printf(d->out, STR_FMT "\n", STR_ARG(d->row->script[i]));
    strbuf_adds(d->out, "```\n\nThis fails while it is so.\n");
}

static void put_others(const struct drafting *d)
{
    for (size_t i = 0; i < d->row->n_also; i++)
        strbuf_printf(d->out, "%s`" STR_FMT "`%s", i ? ", " : "The same holds for ",
                      STR_ARG(d->row->also[i]), i + 1 == d->row->n_also ? ".\n" : "");
}

static void put_known(const struct drafting *d)
{
    if (str_starts(d->row->link, STR("http")))
        strbuf_printf(d->out, "Seen before in " STR_FMT "\n", STR_ARG(d->row->link));
}

static void put_versions(const struct drafting *d)
{
    strbuf_printf(d->out, STR_FMT " " STR_FMT "\n", STR_ARG(d->framework),
                  STR_ARG(d->all->version));
}

static const struct part {
    const char *word;
    void (*put)(const struct drafting *d);
} parts[] = {
#define DRAFT_PART(id, word, function) {word, function},
#include "documents/draft_part.def"
#undef DRAFT_PART
};

static bool put_part(const struct drafting *d, const struct json *word, struct err *e)
{
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        size_t before = d->out->n;
        if (!str_is(word->string, parts[i].word))
            continue;
        strbuf_adds(d->out, "\n");
        parts[i].put(d);
        if (d->out->n == before + 1)
            d->out->n = before;
        return true;
    }
    return err_set(e, ERR_DATA,
                   "documents/forms.json:%u: no part of a draft is called \"" STR_FMT "\"",
                   word->line, STR_ARG(word->string));
}

static bool put_field(const struct drafting *d, const struct json *field, struct err *e)
{
    const struct json *words = json_get(field, "parts"), *text = json_get(field, "text");
    struct str heading;
    if (!json_need_str(field, "heading", &heading, e))
        return err_wrap(e, "documents/forms.json");
    strbuf_printf(d->out, "\n" STR_FMT "\n", STR_ARG(heading));
    if (text)
        strbuf_printf(d->out, "\n" STR_FMT "\n", STR_ARG(text->string));
    for (size_t i = 0; words && i < words->n; i++)
        if (!put_part(d, &words->items[i], e))
            return false;
    return true;
}

static bool put_draft(const struct drafting *d, const struct json *form, struct err *e)
{
    const struct json *fields;
    struct str tracker, class = d->row->class;
    bool is_of_document = str_is(class, "D1");
    const char *own = is_of_document ? "D1" : "D3";
    if (!json_need_str(form, "tracker", &tracker, e) ||
        !json_need(form, json_get(form, own) ? own : "fields", JSON_KIND_ARRAY, &fields, e))
        return err_wrap(e, "documents/forms.json");
    strbuf_printf(d->out, "<!-- " STR_FMT " -->\n# %s" STR_FMT ": " STR_FMT "\n", STR_ARG(tracker),
                  is_of_document ? "Document of " : "", STR_ARG(d->row->api),
                  STR_ARG(str_sub(d->row->happens, 0, TITLE_MAX)));
    for (size_t i = 0; i < fields->n; i++)
        if (!put_field(d, &fields->items[i], e))
            return false;
    strbuf_addc(d->out, '\n');
    return true;
}

static bool is_of_api(const struct judged_row *r, struct str api)
{
    bool is = str_eq(r->api, api);
    for (size_t i = 0; i < r->n_also && !is; i++)
        is = str_eq(r->also[i], api);
    return is || !api.n;
}

bool document_drafts(struct str framework, struct str api, struct arena *a, struct strbuf *out,
                     size_t *n, struct err *e)
{
    const struct json *forms, *form;
    struct judged all;
    struct drafting d = {.framework = framework, .all = &all, .out = out};
    *n = 0;
    if (!judged_load(framework, a, &all, e) || !share_json("documents/forms.json", a, &forms, e))
        return false;
    form = json_get(forms, str_dup(a, framework));
    for (size_t i = 0; i < all.n && form; i++) {
        d.row = &all.at[i];
        if (!d.row->class.n || !is_of_api(d.row, api))
            continue;
        if (!put_draft(&d, form, e))
            return false;
        ++*n;
    }
    return true;
}
