/*
 * Decides which documented examples are wrong, stale or fine. Must not know how they are run.
 * Invariant: an example that depends on seeds, memory, devices, files or an earlier failure is
 * never WRONG.
 */
#include "documents/check.h"

#include "documents/operator_example.h"
#include "documents/printed.h"

#include <ctype.h>

/* Factors of tolerances after an input that was put back: between runs, against the document. */
#define STEADY_SLACK 5
#define PUT_BACK_SLACK 20

void document_open(const struct api_record *r, struct arena *a, struct document *out)
{
    *out = (struct document){.record = r};
    if (str_is(r->kind, "operator"))
        operator_example_find(r, a, &out->examples);
    else
        example_find(r->doc, a, &out->examples);
    out->puts = arena_new_array(a, struct str, out->examples.n);
}

/* Orders for the worker ------------------------------------------------------------------------*/

static void put_statement(const struct document *d, size_t at, unsigned run, struct json_out *w)
{
    static const double shifts[DOCUMENT_RUNS] = {0, 0.5, -0.5};
    const struct example *x = &d->examples.at[at];
    struct arena a;
    struct str values;
    json_begin_object(w);
    json_pair_str(w, "source", x->source);
    if (d->puts[at].n) {
        arena_init(&a);
        json_pair_str(w, "name", x->shown);
        if (printed_arrays(x->expected, x->n_shown, shifts[run], &a, &values))
            json_pair_str(w, "values", values);
        arena_done(&a);
    }
    json_end_object(w);
}

void document_order(const struct document *d, struct json_out *w)
{
    for (unsigned run = 0; run < DOCUMENT_RUNS; run++) {
        json_begin_object(w);
        json_pair_str(w, "name", d->record->name);
        json_pair_i64(w, "seed", run);
        json_pair_bool(w, "fill", run == DOCUMENT_RUNS - 1);
        json_key(w, "statements");
        json_begin_array(w);
        for (size_t i = 0; i < d->examples.n; i++)
            put_statement(d, i, run, w);
        json_end_array(w);
        json_end_object(w);
    }
}

/* The answer -----------------------------------------------------------------------------------*/

static bool read_run(const struct json *j, struct arena *a, struct document_run *out, struct err *e)
{
    const struct json *rows;
    if (!json_need_str(j, "name", &out->name, e) || !json_need_str(j, "end", &out->end, e) ||
        !json_need(j, "results", JSON_KIND_ARRAY, &rows, e))
        return false;
    struct example_result *list = arena_new_array(a, struct example_result, rows->n);
    for (size_t i = 0; i < rows->n; i++) {
        const struct json *row = &rows->items[i];
        list[i] = (struct example_result){.printed = json_get_str(row, "printed", STR("")),
                                          .type = json_get_str(row, "type", STR("")),
                                          .message = json_get_str(row, "message", STR("")),
                                          .was_put = json_get_bool(row, "put", false)};
    }
    out->at = list;
    out->n = rows->n;
    return true;
}

bool document_runs_read(struct str answer, struct arena *a, const struct document_run **out,
                        size_t *n, struct err *e)
{
    VEC(struct document_run) runs = {0};
    struct str rest = str_trim(answer), line;
    while (rest.n && str_split(&rest, '\n', &line)) {
        const struct json *j;
        struct document_run run;
        if (!json_parse(line, "examples", a, &j, e) || !read_run(j, a, &run, e))
            return err_wrap(e, "answer %zu of the worker", runs.n + 1);
        vec_push(&runs, a, run);
    }
    *out = runs.at;
    *n = runs.n;
    return true;
}

void document_take(struct document *d, const struct document_run *runs)
{
    for (unsigned i = 0; i < DOCUMENT_RUNS; i++)
        d->runs[i] = &runs[i];
}

/* Runs against each other ----------------------------------------------------------------------*/

static bool reached(const struct document *d, size_t at)
{
    for (unsigned i = 0; i < DOCUMENT_RUNS; i++)
        if (at >= d->runs[i]->n)
            return false;
    return true;
}

/* Larger after inputs that were put back, which lack the digits that were not printed. */
static double slack_of(const struct document *d, size_t at, double slack)
{
    for (size_t i = 0; i < at; i++)
        if (d->puts[i].n)
            return slack;
    return 1;
}

/* Whether the runs print, or raise, the same. */
static bool is_steady(const struct document *d, size_t at, struct arena *a)
{
    const struct example_result *first = &d->runs[0]->at[at];
    struct str detail;
    for (unsigned i = 1; i < DOCUMENT_RUNS; i++) {
        const struct example_result *other = &d->runs[i]->at[at];
        if (!str_eq(first->type, other->type) ||
            printed_compare(first->printed, other->printed, slack_of(d, at, STEADY_SLACK), a,
                            &detail) > AGREEMENT_REPR)
            return false;
    }
    return true;
}

bool document_put_back(struct document *d, struct arena *a)
{
    bool any = false;
    for (size_t i = 0; i < d->examples.n && reached(d, i); i++) {
        const struct example *x = &d->examples.at[i];
        struct str detail;
        if (!x->shown.n || !x->expected.n || d->runs[0]->at[i].type.n ||
            printed_compare(x->expected, d->runs[0]->at[i].printed, 1, a, &detail) !=
                AGREEMENT_VALUE)
            continue;
        if ((d->examples.seeds || !is_steady(d, i, a)) &&
            printed_arrays(x->expected, x->n_shown, 0, a, &d->puts[i]))
            any = true;
    }
    return any;
}

/* One statement --------------------------------------------------------------------------------*/

struct judging {
    const struct document *d;
    struct arena *a;
    struct document_findings *out;
    struct document_tally *tally;
    bool failed; /* an earlier statement raised */
};

static void add(struct judging *j, size_t at, enum document_class class, const char *kind,
                struct str detail, struct str printed)
{
    bool follows = j->failed && class == DOCUMENT_WRONG;
    struct document_finding f = {.document = j->d,
                                 .at = at,
                                 .class = follows ? DOCUMENT_STALE : class,
                                 .kind = kind,
                                 .detail = detail,
                                 .printed = printed,
                                 .follows = follows};
    j->tally->n_wrong += f.class == DOCUMENT_WRONG;
    j->tally->n_stale += f.class == DOCUMENT_STALE && !follows;
    j->tally->n_follow += follows;
    vec_push(j->out, j->a, f);
}

static void skip(struct judging *j, const char *reason)
{
    ++*map_at(&j->tally->skipped, j->a, str_of(reason), NULL);
}

struct skip_row {
    const char *type, *text, *reason;
    enum document_class class;
};

/* Does the message hold the text? One that begins with a capital begins a word: OUTPUT is no TPU.
 */
static bool says(struct str message, struct str text)
{
    for (size_t at = 0; at + text.n <= message.n; at++) {
        size_t found = str_find(str_sub(message, at, message.n), text);
        at += found;
        if (at + text.n > message.n)
            return false;
        if (!text.n || !isupper((unsigned char)text.at[0]) || at == 0 ||
            !isalpha((unsigned char)message.at[at - 1]))
            return true;
    }
    return false;
}

static const struct skip_row *find_skip(struct str type, struct str message)
{
    static const struct skip_row rows[] = {
#define SKIP(type, text, class, reason) {type, text, reason, DOCUMENT_##class},
#include "documents/skip.def"
#undef SKIP
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if ((!rows[i].type[0] || str_is(type, rows[i].type)) && says(message, str_of(rows[i].text)))
            return &rows[i];
    }
    return NULL;
}

const char *document_skip_reason(struct str type, struct str message)
{
    const struct skip_row *row = find_skip(type, message);
    return row && row->class == DOCUMENT_OK ? row->reason : NULL;
}

static bool has(struct str text, const char *part)
{
    return str_find(text, str_of(part)) < text.n;
}

/* Does the output show an error, or a comment beside the call name it? */
static bool expects_error(const struct example *x, struct str type)
{
    struct str expected = x->expected;
    return has(expected, "Traceback") || has(expected, "Error") || has(expected, "Exception") ||
           str_find(x->source, type) < x->source.n;
}

static void judge_raised(struct judging *j, size_t at)
{
    const struct example_result *r = &j->d->runs[0]->at[at];
    const struct skip_row *row = find_skip(r->type, r->message);
    struct str what =
        str_of(arena_printf(j->a, STR_FMT ": " STR_FMT, STR_ARG(r->type), STR_ARG(r->message)));
    if (expects_error(&j->d->examples.at[at], r->type)) {
        j->tally->n_equal++;
        return;
    }
    if (!is_steady(j->d, at, j->a))
        skip(j, "depends on the seed");
    else if (row && row->class == DOCUMENT_OK)
        skip(j, row->reason);
    else if (row)
        add(j, at, row->class, row->reason, what, what);
    else
        add(j, at, DOCUMENT_WRONG, "raises", what, what);
    j->failed = true;
}

static enum document_class class_of(enum agreement how)
{
    static const enum document_class classes[] = {
#define AGREEMENT(id, name, class, help) DOCUMENT_##class,
#include "documents/agreement.def"
#undef AGREEMENT
    };
    return classes[how];
}

/* Does the statement show memory that nothing was written to, whatever the runs find there? */
static bool shows_memory(const struct example *x)
{
    return has(x->source, "empty(") || has(x->source, "empty_like(");
}

/* Output that depends on the seed is a finding if it differs in this way in every run. */
static bool differs_in_all(const struct judging *j, size_t at, enum agreement how)
{
    struct str expected = j->d->examples.at[at].expected, detail;
    for (unsigned i = 1; i < DOCUMENT_RUNS; i++)
        if (printed_compare(expected, j->d->runs[i]->at[at].printed, 1, j->a, &detail) != how)
            return false;
    return true;
}

static void judge_printed(struct judging *j, size_t at)
{
    const struct example *x = &j->d->examples.at[at];
    struct str printed = str_trim(j->d->runs[0]->at[at].printed), detail;
    bool steady = is_steady(j->d, at, j->a);
    enum agreement how =
        printed_compare(x->expected, printed, slack_of(j->d, at, PUT_BACK_SLACK), j->a, &detail);
    if (how == AGREEMENT_EQUAL)
        j->tally->n_equal++;
    else if (how == AGREEMENT_ELIDED)
        j->tally->n_elided++;
    else if (has(x->expected, "cuda") || has(x->expected, "mps"))
        skip(j, "needs a device");
    else if (has(x->expected, " at 0x"))
        skip(j, "shows an address");
    else if (how == AGREEMENT_VALUE && (!steady || j->d->examples.seeds || shows_memory(x)))
        j->tally->n_seed++;
    else if (!steady && !differs_in_all(j, at, how))
        j->tally->n_seed++;
    else
        add(j, at, class_of(how), agreement_name(how), detail, printed);
}

static void judge_statement(struct judging *j, size_t at)
{
    const struct example *x = &j->d->examples.at[at];
    const struct example_result *r = &j->d->runs[0]->at[at];
    j->tally->n_statements++;
    j->tally->n_expected += x->expected.n > 0;
    if (r->type.n)
        judge_raised(j, at);
    else if (str_starts(x->expected, STR("Traceback")))
        add(j, at, DOCUMENT_WRONG, "does not raise", x->expected, str_trim(r->printed));
    else if (!x->expected.n)
        j->tally->n_no_output++;
    else if (!str_trim(r->printed).n)
        add(j, at, DOCUMENT_STALE, "prints nothing", STR(""), STR(""));
    else
        judge_printed(j, at);
}

static void judge_end(struct judging *j, size_t at)
{
    const struct document *d = j->d;
    struct str end = d->runs[0]->end;
    for (unsigned i = 0; i < DOCUMENT_RUNS; i++)
        if (d->runs[i]->n < d->runs[0]->n)
            end = d->runs[i]->end;
    if (str_is(end, "timeout"))
        skip(j, "takes too long");
    else if (str_starts(end, STR("exit")))
        skip(j, "ends the program");
    else
        add(j, at, DOCUMENT_WRONG, "dies", end, end);
}

void document_judge(const struct document *d, struct arena *a, struct document_findings *out,
                    struct document_tally *tally)
{
    struct judging j = {.d = d, .a = a, .out = out, .tally = tally};
    tally->n_documents++;
    for (size_t i = 0; i < d->examples.n; i++) {
        if (!reached(d, i)) {
            judge_end(&j, i);
            return;
        }
        judge_statement(&j, i);
    }
}
