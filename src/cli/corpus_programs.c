/*
 * Decides how issues are screened and translated, by tables or, with --llm, by a language model
 * that is told what the tables know, and asked once more where its program is not accepted. Must
 * not know what a prompt says nor what is wrong in a program (generate/transfer/).
 */
#include "cli/corpus_programs.h"

#include "base/log.h"
#include "cli/campaign.h"
#include "cli/command.h"
#include "cli/docs_check.h"
#include "cli/llm_settings.h"
#include "generate/corpus/repair.h"
#include "generate/transfer/answer.h"
#include "generate/transfer/core_api.h"
#include "generate/transfer/question.h"

enum { ASKED_MAX = 2 };

bool corpus_load(const struct settings *s, struct issue_corpus *out, struct err *e)
{
    struct campaign_place place;
    return campaign_find(s, &place, e) && issue_corpus_load(place.home, s->arena, out, e);
}

bool corpus_find(const struct settings *s, const struct issue_record **out, struct err *e)
{
    struct issue_corpus all;
    if (!corpus_load(s, &all, e))
        return false;
    *out = issue_corpus_find(&all, str_of(s->args[1]));
    return *out ||
           err_set(e, ERR_USAGE, "no record \"%s\"; `assay corpus list` prints all", s->args[1]);
}

/* What is translated, and by what --------------------------------------------------------------*/

struct asking {
    const struct settings *s;
    struct translator translator;
    struct reader reader;
    struct llm *llm; /* NULL: by tables */
    const struct json *words;
    struct answer_library library;
    struct llm_stage stage;
};

/* One issue translated. */
struct translated {
    const struct issue_record *record;
    struct str program, reason; /* reason: why there is no program */
    struct answer answers[ASKED_MAX];
    unsigned n_asked;
    uint64_t tokens_in, tokens_out;
    size_t n_knowledge, n_code; /* bytes of all prompts */
};

static bool read_without(const struct settings *s, struct translate_without *out, struct err *e)
{
    size_t n;
    const char *const *parts = settings_list(s, SETTING_translate_without, &n);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(parts[i], "alignment") == 0)
            out->alignment = true;
        else if (strcmp(parts[i], "screening") == 0)
            out->screening = true;
        else if (strcmp(parts[i], "distinction") == 0)
            out->distinction = true;
        else
            return err_set(e, ERR_USAGE,
                           "--without %s: alignment, screening and distinction are known",
                           parts[i]);
    }
    return true;
}

/* The public names of the target's packages; those of one that is not installed are not checked. */
static void read_library(struct asking *w)
{
    const struct json *names = json_member(json_get(w->words, "libraries"), w->translator.target);
    for (size_t i = 0; names && i < names->n; i++) {
        const char *name = str_dup(w->s->arena, names->items[i].string);
        struct docs *docs = arena_new(w->s->arena, struct docs);
        struct err why = {0};
        if (docs_open(w->s, name, docs, &why))
            answer_library_add(&w->library, &docs->records, w->s->arena);
        else
            log_warn("names of %s are not checked: %s", name, why.text);
    }
}

static bool open_model(struct asking *w, struct err *e)
{
    struct campaign_place place;
    if (!campaign_find(w->s, &place, e))
        return false;
    const struct llm_options o = llm_settings(w->s, place.home);
    if (!o.url)
        return true;
    if (!question_words(w->s->arena, &w->words, e) || !llm_open(&o, &w->llm, e))
        return false;
    read_library(w);
    return true;
}

static bool open_asking(const struct settings *s, bool with_model, struct asking *w, struct err *e)
{
    const char *target = settings_text(s, SETTING_translate_to);
    *w = (struct asking){.s = s};
    if (!translator_open(target, s->arena, &w->translator, e) ||
        !read_without(s, &w->translator.without, e) ||
        !reader_open(&w->reader, w->translator.source, e))
        return false;
    if (!with_model || open_model(w, e))
        return true;
    reader_close(&w->reader);
    return false;
}

static void close_asking(struct asking *w)
{
    llm_close(w->llm);
    reader_close(&w->reader);
}

/* Asks until an answer is accepted. false: a request failed. */
static bool ask(struct asking *w, struct str program, struct translated *out, struct err *e)
{
    struct arena *a = w->s->arena;
    struct str api = core_api_in_pairs(core_api_of(out->record, &w->reader, 1, a), a);
    struct question q = {.words = w->words, .translator = &w->translator, .program = program};
    const struct answer_check check = {.words = w->words,
                                       .translator = &w->translator,
                                       .library = &w->library,
                                       .program = program,
                                       .api = api};
    while (out->n_asked < ASKED_MAX) {
        struct question_request made;
        struct llm_reply reply;
        question_make(&q, &w->reader, a, &made);
        if (!llm_ask(w->llm, &made.request, a, &reply, e))
            return false;
        struct answer *answer = &out->answers[out->n_asked++];
        answer_read(&check, &w->reader, &reply, a, answer);
        out->tokens_in += reply.tokens_in;
        out->tokens_out += reply.tokens_out;
        out->n_knowledge += made.n_knowledge;
        out->n_code += made.n_code;
        if (answer->failure == ANSWER_ACCEPTED) {
            out->program = answer->program;
            return true;
        }
        q.failure = str_of(answer_failure_name(answer->failure));
        q.detail = answer->detail;
        q.answer = answer->program.n ? answer->program : reply.text;
    }
    const struct answer *last = &out->answers[ASKED_MAX - 1];
    out->reason = str_of(
        arena_printf(a, "%s: " STR_FMT, answer_failure_name(last->failure), STR_ARG(last->detail)));
    return true;
}

/* Screens the issue by the tables, and translates it by them or by the model. */
static bool translate_record(struct asking *w, const struct issue_record *r, struct translated *out,
                             struct err *e)
{
    struct translation made;
    struct str program = program_repair(&w->reader, r->code, w->s->arena);
    *out = (struct translated){.record = r};
    translate(&w->translator, &w->reader, program, w->s->arena, &made);
    out->reason = made.reason;
    if (!made.text.n)
        return true;
    out->program = w->llm ? (struct str){0} : made.text;
    return !w->llm || ask(w, program, out, e);
}

static bool is_of_source(const struct asking *w, const struct issue_record *r)
{
    return str_eq(r->framework, w->reader.table.framework);
}

/* Printing -------------------------------------------------------------------------------------*/

static void put_answers(const struct translated *t, struct json_out *w)
{
    json_key(w, "answers");
    json_begin_array(w);
    for (unsigned i = 0; i < t->n_asked; i++) {
        const struct answer *a = &t->answers[i];
        json_begin_object(w);
        json_pair_cstr(w, "failure", answer_failure_name(a->failure));
        json_pair_str(w, "detail", a->detail);
        json_key(w, "repairs");
        json_begin_array(w);
        for (unsigned k = 0; k < ANSWER_N_REPAIRS; k++)
            if (a->repairs & 1u << k)
                json_put_cstr(w, answer_repair_name((enum answer_repair)k));
        json_end_array(w);
        json_pair_str(w, "program", a->program);
        json_end_object(w);
    }
    json_end_array(w);
}

static void put_json(const struct translated *t, bool by_model, struct json_out *w)
{
    json_begin_object(w);
    json_pair_str(w, "id", t->record->id);
    json_pair_cstr(w, "by", by_model ? "model" : "tables");
    json_pair_str(w, "program", t->program);
    json_pair_str(w, "reason", t->program.n ? STR("") : t->reason);
    if (t->n_asked) {
        put_answers(t, w);
        json_pair_u64(w, "tokens_in", t->tokens_in);
        json_pair_u64(w, "tokens_out", t->tokens_out);
        json_pair_u64(w, "bytes_knowledge", t->n_knowledge);
        json_pair_u64(w, "bytes_code", t->n_code);
    }
    json_end_object(w);
}

static bool translate_one(struct asking *w, struct err *e)
{
    const struct issue_record *r;
    struct translated t;
    if (!corpus_find(w->s, &r, e) || !translate_record(w, r, &t, e))
        return false;
    if (settings_want_json(w->s)) {
        struct strbuf text = {0};
        struct json_out out = json_open(&text, JSON_PRETTY);
        put_json(&t, w->llm, &out);
        out_json(&text);
        return true;
    }
    if (!t.program.n)
        return err_set(e, ERR_UNSUPPORTED, STR_FMT " cannot be translated: " STR_FMT,
                       STR_ARG(r->id), STR_ARG(t.reason));
    out_put(t.program);
    return true;
}

/* All issues of the source. A request that fails leaves its issue out; once no more can be sent,
 * the others are left out too. */
static bool translate_all(struct asking *w, struct err *e)
{
    struct issue_corpus all;
    struct strbuf text = {0};
    struct json_out out = json_open(&text, JSON_PRETTY);
    bool as_json = settings_want_json(w->s);
    size_t n = 0, n_made = 0;
    if (!corpus_load(w->s, &all, e))
        return false;
    if (as_json)
        json_begin_array(&out);
    for (size_t i = 0; i < all.records.n && !w->stage.is_over; i++) {
        struct translated t;
        struct err why = {0};
        if (!is_of_source(w, &all.records.at[i]))
            continue;
        bool ok = translate_record(w, &all.records.at[i], &t, &why);
        if (!ok || t.n_asked)
            llm_stage_take(&w->stage, ok ? NULL : &why);
        if (!ok)
            log_warn(STR_FMT " is left out: %s", STR_ARG(all.records.at[i].id), why.text);
        if (!ok)
            continue;
        n++;
        n_made += t.program.n > 0;
        if (as_json)
            put_json(&t, w->llm, &out);
        else
            out_line(str_of(arena_printf(w->s->arena, "%-36.*s " STR_FMT, STR_ARG(t.record->id),
                                         STR_ARG(t.program.n ? STR("translated") : t.reason))));
    }
    if (as_json) {
        json_end_array(&out);
        out_json(&text);
    } else {
        out_putf("%zu of %zu issues are translated\n", n_made, n);
    }
    return true;
}

bool corpus_translate(const struct settings *s, struct err *e)
{
    struct asking w;
    if (!open_asking(s, true, &w, e))
        return false;
    bool ok = strcmp(s->args[1], "all") == 0 ? translate_all(&w, e) : translate_one(&w, e);
    close_asking(&w);
    return ok;
}

static void put_screened(const struct settings *s, const struct issue_record *r,
                         const struct translation *made)
{
    out_line(str_of(arena_printf(s->arena, "%-36.*s " STR_FMT, STR_ARG(r->id),
                                 STR_ARG(made->text.n ? STR("kept") : made->reason))));
    for (size_t k = 1; settings_flag(s, SETTING_verbose) && k < made->reasons.n; k++)
        out_line(str_of(arena_printf(s->arena, "%36s " STR_FMT, "", STR_ARG(made->reasons.at[k]))));
}

static void put_screened_json(const struct issue_record *r, const struct translation *made,
                              struct json_out *w)
{
    json_begin_object(w);
    json_pair_str(w, "id", r->id);
    json_pair_bool(w, "kept", made->text.n > 0);
    json_key(w, "reasons");
    json_begin_array(w);
    for (size_t k = 0; !made->text.n && k < made->reasons.n; k++)
        json_put_str(w, made->reasons.at[k]);
    json_end_array(w);
    json_end_object(w);
}

bool corpus_screen(const struct settings *s, struct err *e)
{
    struct issue_corpus all;
    struct asking w;
    struct strbuf text = {0};
    struct json_out out = json_open(&text, JSON_PRETTY);
    bool as_json = settings_want_json(s);
    size_t n = 0, n_kept = 0;
    if (!corpus_load(s, &all, e) || !open_asking(s, false, &w, e))
        return false;
    if (as_json)
        json_begin_array(&out);
    for (size_t i = 0; i < all.records.n; i++) {
        const struct issue_record *r = &all.records.at[i];
        struct translation made;
        if (!is_of_source(&w, r))
            continue;
        translate(&w.translator, &w.reader, program_repair(&w.reader, r->code, s->arena), s->arena,
                  &made);
        n++;
        n_kept += made.text.n > 0;
        if (as_json)
            put_screened_json(r, &made, &out);
        else
            put_screened(s, r, &made);
    }
    close_asking(&w);
    if (as_json) {
        json_end_array(&out);
        out_json(&text);
    } else {
        out_putf("%zu of %zu issues are kept\n", n_kept, n);
    }
    return true;
}
