/*
 * Decides what a valid issue form is, with exact messages, and which fields the general draft has.
 * Must not know any tracker: that is in the descriptions of the targets.
 */
#include "report/form_p.h"

#include "base/compiler.h"
#include "base/share.h"

static const char *const form_keys[] = {"tracker", "template", "title", "fields"};
static const char *const field_keys[] = {"heading", "text", "parts"};
static const char *const part_words[] = {
#define FORM_PART(id, word, write) word,
#include "report/form.def"
#undef FORM_PART
};

static const struct form_field general_fields[] = {
    {.parts = {FORM_PART_SUMMARY, FORM_PART_FACTS}, .n_parts = 2},
    {.heading = "## Model or program", .parts = {FORM_PART_MODEL}, .n_parts = 1},
    {.heading = "## Expected and observed",
     .parts = {FORM_PART_EXPECTED_OBSERVED, FORM_PART_LOG},
     .n_parts = 2},
    {.heading = "## To reproduce", .parts = {FORM_PART_REPRODUCE}, .n_parts = 1},
    {.heading = "## What the standard says", .parts = {FORM_PART_STANDARD}, .n_parts = 1},
};

static bool wrong(const struct json *at, struct err *e, const char *what)
{
    return err_set(e, ERR_DATA, "line %u: %s", at->line, what);
}

static bool read_part(const struct json *j, struct form_field *out, struct err *e)
{
    size_t at = 0;
    struct arena a;
    if (j->kind != JSON_KIND_STRING)
        return wrong(j, e, "key \"parts\": a list of strings is expected");
    while (at < COUNT_OF(part_words) && !str_is(j->string, part_words[at]))
        at++;
    if (at == COUNT_OF(part_words)) {
        arena_init(&a);
        err_set(e, ERR_DATA, "line %u: key \"parts\": no part is called \"" STR_FMT "\"%s", j->line,
                STR_ARG(j->string), str_known(j->string, part_words, COUNT_OF(part_words), &a));
        arena_done(&a);
        return false;
    }
    for (size_t i = 0; i < out->n_parts; i++)
        if (out->parts[i] == (enum form_part)at)
            return err_set(e, ERR_DATA, "line %u: key \"parts\": \"%s\" is listed twice", j->line,
                           part_words[at]);
    out->parts[out->n_parts++] = (enum form_part)at;
    return true;
}

static bool read_field(const struct json *j, struct form_field *out, struct err *e)
{
    const struct json *parts;
    struct str heading, text;
    if (j->kind != JSON_KIND_OBJECT)
        return wrong(j, e, "key \"fields\": a list of objects is expected");
    if (!json_check_keys(j, field_keys, COUNT_OF(field_keys), e) ||
        !json_need_str(j, "heading", &heading, e))
        return false;
    if (!str_starts(heading, STR("#")) && !str_starts(heading, STR("**")))
        return wrong(json_get(j, "heading"), e,
                     "key \"heading\": a line that begins with '#' or \"**\" is expected");
    if ((json_get(j, "text") != NULL) == (json_get(j, "parts") != NULL))
        return wrong(j, e, "a field has either \"text\" or \"parts\"");
    out->heading = heading.at;
    if (json_get(j, "text")) {
        if (!json_need_str(j, "text", &text, e))
            return false;
        out->text = text.at;
        return text.n || wrong(json_get(j, "text"), e, "key \"text\": it is empty");
    }
    if (!json_need(j, "parts", JSON_KIND_ARRAY, &parts, e))
        return false;
    for (size_t i = 0; i < parts->n; i++)
        if (!read_part(&parts->items[i], out, e))
            return false;
    return true;
}

static bool read_form(const struct json *j, struct arena *a, struct form *out, struct err *e)
{
    const struct json *fields;
    if (!json_check_keys(j, form_keys, COUNT_OF(form_keys), e) ||
        !json_need_str(j, "tracker", &out->tracker, e) ||
        !json_need_str(j, "template", &out->template, e) ||
        !json_need_str(j, "title", &out->title, e) ||
        !json_need(j, "fields", JSON_KIND_ARRAY, &fields, e))
        return false;
    if (!str_starts(out->tracker, STR("https://")))
        return wrong(json_get(j, "tracker"), e,
                     "key \"tracker\": an address that begins with https:// is expected");
    if (!fields->n)
        return wrong(fields, e, "key \"fields\": at least one field is expected");
    struct form_field *rows = arena_new_array(a, struct form_field, fields->n);
    for (size_t i = 0; i < fields->n; i++)
        if (!read_field(&fields->items[i], &rows[i], e))
            return false;
    out->fields = rows;
    out->n = fields->n;
    return true;
}

static void use_general(struct draft *out)
{
    out->form = (struct form){.fields = general_fields, .n = COUNT_OF(general_fields)};
}

bool form__parse(struct str text, const char *name, struct arena *a, struct draft *out,
                 struct err *e)
{
    const struct json *j, *form;
    if (!json_parse(text, name, a, &j, e))
        return false;
    out->package = json_get_str(j, "package", STR(""));
    if (!json_get(j, "form")) {
        use_general(out);
        return true;
    }
    out->form = (struct form){0};
    return (json_need(j, "form", JSON_KIND_OBJECT, &form, e) &&
            read_form(form, a, &out->form, e)) ||
           err_wrap(e, "%s", name);
}

bool form__load(struct str engine, struct arena *a, struct draft *out, struct err *e)
{
    struct str text;
    const char *path = arena_printf(a, "targets/" STR_FMT ".json", STR_ARG(engine));
    use_general(out);
    return !share_find(path, &text) || form__parse(text, path, a, out, e);
}
