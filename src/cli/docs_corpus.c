/*
 * Decides which calls of issues' snippets are predicted, and what is counted. Must not know how
 * snippets run (py/assay_worker/foretold_snippets.py), nor what documents say of a call
 * (generate/foretell/stated.h). Invariant: a reason by which a seed that works should raise
 * predicts nothing for its symbol.
 */
#include "cli/docs_corpus.h"

#include "base/share.h"
#include "cli/command.h"
#include "cli/docs_check.h"
#include "documents/check.h"
#include "generate/corpus/record.h"
#include "generate/corpus/repair.h"
#include "generate/foretell/stated.h"

enum { SNIPPET_SECONDS = 10, DEADLINE_MS = 1800000, ANSWER_MAX = 256 << 20 };

struct snippet {
    struct str id, end; /* end: "done", "raised RuntimeError", "timeout", ... */
    size_t n_calls, n_unreadable;
};

struct snippet_call {
    const struct snippet *from;
    struct api_call call;
    const struct api_record *record;
    struct stated stated;
    struct call_outcome real, abstract; /* abstract: ABSTAINS where there is none */
};

struct corpus_run {
    const struct settings *s;
    struct arena *a;
    struct docs docs;
    struct api_calls seeds;
    struct snippet *snippets;
    size_t n_snippets;
    VEC(struct snippet_call) calls;
};

/* Snippets --------------------------------------------------------------------------------------*/

static void put_snippet(const struct corpus_run *c, struct reader *reader,
                        const struct issue_record *r, struct json_out *w)
{
    if (!str_eq(r->framework, reader->table.framework))
        return;
    json_begin_object(w);
    json_pair_str(w, "id", r->id);
    json_pair_str(w, "code", program_repair(reader, r->code, c->a));
    json_end_object(w);
}

/* Those of one issue, or of all. */
static bool put_snippets(const struct corpus_run *c, struct reader *reader, struct json_out *w,
                         struct err *e)
{
    const char *wanted = settings_text(c->s, SETTING_docs_corpus);
    struct issue_corpus all = {0};
    if (!issue_corpus_load(c->docs.home, c->a, &all, e))
        return false;
    const struct issue_record *one = issue_corpus_find(&all, str_of(wanted));
    if (!one && strcmp(wanted, "all") != 0)
        return err_set(e, ERR_USAGE, "no issue \"%s\"; `assay corpus list` prints all", wanted);
    json_key(w, "snippets");
    json_begin_array(w);
    if (one)
        put_snippet(c, reader, one, w);
    for (size_t i = 0; !one && i < all.records.n; i++)
        put_snippet(c, reader, &all.records.at[i], w);
    json_end_array(w);
    return true;
}

static void put_names(const struct corpus_run *c, struct json_out *w)
{
    json_key(w, "names");
    json_begin_array(w);
    for (size_t i = 0; i < c->docs.records.n; i++) {
        const struct api_record *r = &c->docs.records.at[i];
        if (!str_is(r->kind, "property") && !str_is(r->kind, "operator"))
            json_put_str(w, r->name);
    }
    json_end_array(w);
}

static bool order_snippets(const struct corpus_run *c, struct str *order, struct err *e)
{
    struct reader reader;
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    if (!reader_open(&reader, str_dup(c->a, c->docs.records.framework), e))
        return false;
    json_begin_object(&w);
    json_pair_i64(&w, "seconds", SNIPPET_SECONDS);
    put_names(c, &w);
    bool ok = put_snippets(c, &reader, &w, e);
    json_end_object(&w);
    reader_close(&reader);
    *order = strbuf_dup(&text, c->a);
    strbuf_done(&text);
    return ok;
}

static bool take_calls(struct corpus_run *c, const struct snippet *from, const struct json *rows,
                       struct err *e)
{
    for (size_t i = 0; i < rows->n; i++) {
        struct snippet_call call = {.from = from, .abstract.is = OUTCOME_KIND_ABSTAINS};
        bool fits;
        if (!api_call_read(&rows->items[i], &call.call, &fits, e))
            return err_wrap(e, STR_FMT, STR_ARG(from->id));
        call.record = docs_record(&c->docs, call.call.symbol, c->a);
        if (fits && call.record)
            vec_push(&c->calls, c->a, call);
    }
    return true;
}

static bool take_snippets(struct corpus_run *c, struct str answer, struct err *e)
{
    VEC(struct snippet) list = {0};
    VEC(const struct json *) calls = {0};
    struct str rest = str_trim(answer), line;
    while (rest.n && str_split(&rest, '\n', &line)) {
        const struct json *j, *rows;
        struct snippet x;
        if (!json_parse(line, "snippets", c->a, &j, e) || !json_need_str(j, "id", &x.id, e) ||
            !json_need_str(j, "end", &x.end, e) ||
            !json_need(j, "calls", JSON_KIND_ARRAY, &rows, e))
            return err_wrap(e, "answer %zu of the worker", list.n + 1);
        x.n_calls = rows->n;
        x.n_unreadable = (size_t)json_get_i64(j, "unreadable", 0);
        vec_push(&list, c->a, x);
        vec_push(&calls, c->a, rows);
    }
    c->snippets = list.at;
    c->n_snippets = list.n;
    for (size_t i = 0; i < list.n; i++)
        if (!take_calls(c, &c->snippets[i], calls.at[i], e))
            return false;
    return true;
}

/* Outcomes --------------------------------------------------------------------------------------*/

static struct str order_calls(const struct corpus_run *c)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    json_begin_object(&w);
    json_key(&w, "calls");
    json_begin_array(&w);
    for (size_t i = 0; i < c->calls.n; i++)
        api_call_write(&c->calls.at[i].call, CALL_ARGUMENTS_MAX, STR(""), &w);
    json_end_array(&w);
    json_end_object(&w);
    struct str order = strbuf_dup(&text, c->a);
    strbuf_done(&text);
    return order;
}

static bool take_outcomes(struct corpus_run *c, struct str answer, struct err *e)
{
    struct str rest = str_trim(answer), line;
    size_t at = 0;
    for (; rest.n && at < c->calls.n && str_split(&rest, '\n', &line); at++) {
        struct snippet_call *x = &c->calls.at[at];
        const struct json *j, *real, *abstract;
        if (!json_parse(line, "foretold", c->a, &j, e) ||
            !json_need(j, "real", JSON_KIND_OBJECT, &real, e) ||
            !call_outcome_read(real, &x->real, e))
            return err_wrap(e, "answer to call %zu", at + 1);
        abstract = json_get(j, "fake");
        if (!abstract)
            abstract = json_get(j, "traced");
        if (abstract && !call_outcome_read(abstract, &x->abstract, e))
            return err_wrap(e, "answer to call %zu", at + 1);
    }
    return at == c->calls.n ||
           err_set(e, ERR_DATA, "the worker answered %zu of %zu calls", at, c->calls.n);
}

static bool run_all(struct corpus_run *c, struct err *e)
{
    const char *framework = str_dup(c->a, c->docs.records.framework);
    struct str order, answer;
    struct docs_job snippets = {.folder = "snippets",
                                .script = "foretold_snippets.py",
                                .words = {framework},
                                .n_words = 1,
                                .deadline_ms = DEADLINE_MS,
                                .answer_max = ANSWER_MAX};
    struct docs_job calls = {.folder = "foretold",
                             .script = "foretold.py",
                             .words = {"run", framework},
                             .n_words = 2,
                             .deadline_ms = DEADLINE_MS,
                             .answer_max = ANSWER_MAX};
    if (!order_snippets(c, &order, e) ||
        !docs_answer(&c->docs, &snippets, order, c->a, &answer, e) || !take_snippets(c, answer, e))
        return false;
    return docs_answer(&c->docs, &calls, order_calls(c), c->a, &answer, e) &&
           take_outcomes(c, answer, e);
}

/* Predictions -----------------------------------------------------------------------------------*/

static unsigned doubted_of(const struct corpus_run *c, const struct api_record *r,
                           const struct documented_parameters *documented)
{
    unsigned doubted = 0;
    for (size_t i = 0; i < c->seeds.n; i++)
        if (docs_record(&c->docs, c->seeds.at[i].symbol, c->a) == r)
            doubted |= stated_of(r, documented, &c->seeds.at[i]).reasons;
    return doubted;
}

static void predict(struct corpus_run *c)
{
    for (size_t i = 0; i < c->calls.n; i++) {
        struct snippet_call *x = &c->calls.at[i];
        struct documented_parameters documented;
        documented_parameters_of(x->record, c->a, &documented);
        x->stated = stated_of(x->record, &documented, &x->call);
        if (x->stated.reasons)
            x->stated.reasons &= ~doubted_of(c, x->record, &documented);
    }
}

/* ABSTAINS: the document says nothing of the call. */
static enum outcome_kind said_of(const struct snippet_call *x)
{
    return x->stated.reasons  ? OUTCOME_KIND_RAISED
           : x->stated.n_kept ? OUTCOME_KIND_OK
                              : OUTCOME_KIND_ABSTAINS;
}

/* A call that lacks a file, the network or a device says nothing. */
static bool is_run(const struct snippet_call *x)
{
    return x->real.is == OUTCOME_KIND_OK || (x->real.is == OUTCOME_KIND_RAISED &&
                                             !document_skip_reason(x->real.type, x->real.message));
}

static bool same_outcome(const struct call_outcome *x, const struct call_outcome *y)
{
    bool same = x->is == y->is && (x->is != OUTCOME_KIND_OK || x->n_leaves == y->n_leaves);
    for (size_t i = 0; same && x->is == OUTCOME_KIND_OK && i < x->n_leaves; i++)
        same = leaf_equal(&x->leaves[i], &y->leaves[i]);
    return same;
}

/* "float32", "bool"; results that are no tensors have the name of their class. */
static bool is_dtype(struct str name)
{
    bool digit = str_is(name, "bool");
    for (size_t i = 0; i < name.n; i++)
        digit = digit || str_is_digit(name.at[i]);
    return digit;
}

static bool has_only_tensors(const struct call_outcome *o)
{
    for (size_t i = 0; i < o->n_leaves; i++)
        if (!is_dtype(o->leaves[i].dtype))
            return false;
    return true;
}

static bool has_abstract(const struct snippet_call *x)
{
    return (x->abstract.is == OUTCOME_KIND_OK || x->abstract.is == OUTCOME_KIND_RAISED) &&
           has_only_tensors(&x->real);
}

/* Does the run contradict the document, or the abstract run? */
static bool contradicts(const struct snippet_call *x)
{
    if (outcome_kind_is_failure(x->real.is))
        return true;
    if (!is_run(x))
        return false;
    enum outcome_kind said = said_of(x);
    return (said != OUTCOME_KIND_ABSTAINS && said != x->real.is) ||
           (has_abstract(x) && !same_outcome(&x->abstract, &x->real));
}

/* Report ----------------------------------------------------------------------------------------*/

struct corpus_counts {
    size_t n_with_call, n_unreadable, n_ran, n_raised, n_died, n_contradictions;
    size_t given[OUTCOME_KIND_ABSTAINS], right[OUTCOME_KIND_ABSTAINS]; /* by what is said */
    size_t n_abstract, n_abstract_right;
};

static void count_call(const struct snippet_call *x, struct corpus_counts *n)
{
    enum outcome_kind said = said_of(x);
    n->n_died += outcome_kind_is_failure(x->real.is);
    n->n_contradictions += contradicts(x);
    if (!is_run(x))
        return;
    n->n_ran++;
    n->n_raised += x->real.is == OUTCOME_KIND_RAISED;
    if (said != OUTCOME_KIND_ABSTAINS) {
        n->given[said]++;
        n->right[said] += said == x->real.is;
    }
    n->n_abstract += has_abstract(x);
    n->n_abstract_right += has_abstract(x) && same_outcome(&x->abstract, &x->real);
}

static struct corpus_counts count(const struct corpus_run *c)
{
    struct corpus_counts n = {0};
    for (size_t i = 0; i < c->n_snippets; i++) {
        n.n_with_call += c->snippets[i].n_calls > 0;
        n.n_unreadable += c->snippets[i].n_unreadable;
    }
    for (size_t i = 0; i < c->calls.n; i++)
        count_call(&c->calls.at[i], &n);
    return n;
}

static void put_reasons(unsigned reasons, struct json_out *w)
{
    json_key(w, "reasons");
    json_begin_array(w);
    for (unsigned r = 0; r < STATED_COUNT; r++)
        if (reasons & 1u << r)
            json_put_cstr(w, stated_reason_name((enum stated_reason)r));
    json_end_array(w);
}

static void put_contradiction(const struct snippet_call *x, struct arena *a, struct json_out *w)
{
    static const char *const words[] = {"works", "raises", "dies", "nothing"};
    struct strbuf text = {0};
    api_call_print(&x->call, false, &text);
    json_begin_object(w);
    json_pair_str(w, "id", x->from->id);
    json_pair_str(w, "symbol", x->call.symbol);
    json_pair_str(w, "call", strbuf_str(&text));
    json_pair_cstr(w, "document", words[said_of(x)]);
    put_reasons(x->stated.reasons, w);
    json_pair_str(w, "real", call_outcome_text(&x->real, a));
    json_pair_str(w, "abstract", call_outcome_text(&x->abstract, a));
    json_end_object(w);
    strbuf_done(&text);
}

static void put_report(const struct corpus_run *c, struct strbuf *text)
{
    struct corpus_counts n = count(c);
    struct json_out w = json_open(text, JSON_PRETTY);
    json_begin_object(&w);
    json_pair_str(&w, "framework", c->docs.records.framework);
    json_pair_str(&w, "version", c->docs.records.version);
    json_pair_u64(&w, "snippets", c->n_snippets);
    json_pair_u64(&w, "with_known_call", n.n_with_call);
    json_pair_u64(&w, "calls", c->calls.n);
    json_pair_u64(&w, "unreadable", n.n_unreadable);
    json_pair_u64(&w, "ran", n.n_ran);
    json_pair_u64(&w, "raised", n.n_raised);
    json_pair_u64(&w, "died", n.n_died);
    json_pair_u64(&w, "works_predicted", n.given[OUTCOME_KIND_OK]);
    json_pair_u64(&w, "works_right", n.right[OUTCOME_KIND_OK]);
    json_pair_u64(&w, "raises_predicted", n.given[OUTCOME_KIND_RAISED]);
    json_pair_u64(&w, "raises_right", n.right[OUTCOME_KIND_RAISED]);
    json_pair_u64(&w, "abstract_predicted", n.n_abstract);
    json_pair_u64(&w, "abstract_right", n.n_abstract_right);
    json_key(&w, "contradictions");
    json_begin_array(&w);
    for (size_t i = 0; i < c->calls.n; i++)
        if (contradicts(&c->calls.at[i]))
            put_contradiction(&c->calls.at[i], c->a, &w);
    json_end_array(&w);
    json_end_object(&w);
}

static void print_text(const struct corpus_run *c)
{
    struct corpus_counts n = count(c);
    size_t given = n.given[OUTCOME_KIND_OK] + n.given[OUTCOME_KIND_RAISED];
    size_t right = n.right[OUTCOME_KIND_OK] + n.right[OUTCOME_KIND_RAISED];
    for (size_t i = 0; i < c->calls.n; i++) {
        const struct snippet_call *x = &c->calls.at[i];
        if (contradicts(x))
            out_putf(STR_FMT "  " STR_FMT "  " STR_FMT "\n", STR_ARG(x->from->id),
                     STR_ARG(x->call.symbol), STR_ARG(call_outcome_text(&x->real, c->a)));
    }
    out_putf("%zu snippets, %zu with a known call; %zu calls, %zu others with arguments that are "
             "not data\n",
             c->n_snippets, n.n_with_call, c->calls.n, n.n_unreadable);
    out_putf("%zu ran: %zu raised, %zu died\n", n.n_ran + n.n_died, n.n_raised, n.n_died);
    out_putf("documents only: outcome of %zu predicted, %zu right; of %zu that should raise, %zu\n",
             given, right, n.given[OUTCOME_KIND_RAISED], n.right[OUTCOME_KIND_RAISED]);
    out_putf("without elements: %zu predicted, %zu right with types and shapes\n", n.n_abstract,
             n.n_abstract_right);
    out_putf("%zu calls in which document, abstract run and call contradict each other\n",
             n.n_contradictions);
}

bool docs_corpus(const struct settings *s, const char *framework, struct err *e)
{
    struct corpus_run c = {.s = s, .a = s->arena};
    struct str text;
    const char *name = arena_printf(c.a, "foretell/%s.jsonl", framework);
    if (!share_find(name, &text))
        return err_set(e, ERR_USAGE, "no seed calls of \"%s\"", framework);
    if (!docs_open(s, framework, &c.docs, e) || !api_calls_read(text, name, c.a, &c.seeds, e) ||
        !run_all(&c, e))
        return false;
    predict(&c);
    if (settings_want_json(s)) {
        struct strbuf report = {0};
        put_report(&c, &report);
        out_json(&report);
        return true;
    }
    print_text(&c);
    return true;
}
