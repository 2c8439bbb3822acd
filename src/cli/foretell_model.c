/*
 * Decides which changed calls a language model is asked about, when it is asked no more, and which
 * figures are printed. Must not know what a prompt says nor what a reply is worth
 * (generate/foretell/ask.h, votes.h). Invariants: the sample depends on neither replies nor runs; a
 * call counts only if all of its questions were put.
 */
#include "cli/foretell_model.h"

#include "base/file.h"
#include "base/log.h"
#include "base/path.h"
#include "cli/command.h"
#include "cli/llm_settings.h"
#include "generate/foretell/ask.h"
#include "generate/foretell/sample.h"
#include "generate/foretell/votes.h"
#include "hunt/confirm.h"

enum { CALLS_OF_MESSAGE = 10 };

/* The sample ----------------------------------------------------------------------------------*/

static uint64_t order_of(int64_t seed, const struct trial *t)
{
    struct hasher h;
    hasher_init(&h);
    hasher_add_u64(&h, (uint64_t)seed);
    hasher_add_str(&h, t->seed->symbol);
    hasher_add_u64(&h, t->change.kind);
    hasher_add_u64(&h, t->change.at);
    hasher_add_str(&h, t->change.text);
    struct hash hash = hasher_done(&h);
    return hash_prefix(&hash);
}

size_t foretell_sample(const struct settings *s, struct trial *at, size_t n)
{
    struct sample_item *items = arena_new_array(s->arena, struct sample_item, n + 1);
    struct trial *chosen;
    size_t n_items = 0;
    for (size_t i = 0; i < n; i++)
        if (predict_half(at[i].seed->op) != 0)
            items[n_items++] = (struct sample_item){
                at[i].change.kind, order_of(settings_int(s, SETTING_seed), &at[i]), i, 0};
    n_items = sample_kinds(items, n_items, (size_t)settings_int(s, SETTING_llm_prompts));
    chosen = arena_new_array(s->arena, struct trial, n_items + 1);
    for (size_t i = 0; i < n_items; i++)
        chosen[i] = at[items[i].at];
    memcpy(at, chosen, n_items * sizeof *at);
    return n_items;
}

/* Questions -----------------------------------------------------------------------------------*/

struct asked {
    struct vote *votes; /* one per answer; NULL: there is no document to ask about */
};

struct asking {
    const struct foretold_by_model *m;
    struct arena *a;
    const struct json *words;
    struct llm *llm;
    const char *model;
    bool is_replay;
    unsigned n_answers;
    struct llm_stage stage;
    struct asked *at;
    size_t n; /* calls of which all questions were put */
    size_t n_replies[REPLY_STATUS_COUNT], n_undocumented;
};

/* Takes note of a request that failed. false: no more are sent, or a reply is not recorded. */
static bool take_failure(struct asking *k, struct str symbol, struct err *why, struct err *e)
{
    llm_stage_take(&k->stage, why);
    if (k->is_replay) {
        *e = *why;
        return err_wrap(e,
                        "the cassettes are of other calls, documents, prompts or settings, "
                        "--llm URL records them: " STR_FMT,
                        STR_ARG(symbol));
    }
    if (k->stage.n_failed == 1 && !k->stage.is_over)
        log_warn(STR_FMT ": %s; this reply counts as not given", STR_ARG(symbol), why->text);
    return true;
}

/* Puts all questions of a call. false: a reply is not recorded; the stage may be over meanwhile. */
static bool ask_one(struct asking *k, const struct trial *t, struct asked *out, struct err *e)
{
    const struct situation s = {.record = t->record,
                                .seed = t->seed,
                                .changed = &t->changed,
                                .change = &t->change,
                                .documented = t->documented};
    struct ask q;
    ask_make(k->words, &s, k->a, &q);
    out->votes = q.document.n ? arena_new_array(k->a, struct vote, k->n_answers) : NULL;
    for (unsigned i = 0; out->votes && i < k->n_answers && !k->stage.is_over; i++) {
        struct llm_reply reply;
        struct err why;
        q.request.sample = i;
        bool ok = llm_ask(k->llm, &q.request, k->a, &reply, &why);
        if (ok)
            llm_stage_take(&k->stage, NULL);
        else if (!take_failure(k, t->seed->symbol, &why, e))
            return false;
        vote_read(k->words, ok ? &reply : NULL, q.document, k->a, &out->votes[i]);
    }
    return true;
}

static void count_replies(struct asking *k, const struct asked *x)
{
    k->n_undocumented += !x->votes;
    for (unsigned i = 0; x->votes && i < k->n_answers; i++)
        k->n_replies[x->votes[i].status]++;
}

static bool ask_all(struct asking *k, struct err *e)
{
    size_t n = k->m->n;
    k->at = arena_new_array(k->a, struct asked, n + 1);
    for (size_t i = 0; i < n; i++) {
        if (!ask_one(k, &k->m->at[i], &k->at[i], e))
            return false;
        if (k->stage.is_over)
            break;
        count_replies(k, &k->at[i]);
        k->n++;
        if (k->n % CALLS_OF_MESSAGE == 0 || k->n == n)
            log_info("%zu of %zu calls asked", k->n, n);
    }
    if (k->stage.is_over && k->n)
        log_warn("%s; the model was asked about %zu of %zu calls", k->stage.last.text, k->n, n);
    else if (k->stage.is_over)
        *e = k->stage.last;
    return k->n > 0;
}

/* Figures -------------------------------------------------------------------------------------*/

/* What is a vote, and what is its confidence. */
static const struct figures_row {
    const char *key, *name;
    bool with_quote, by_score;
} figures_rows[] = {
    {"votes", "votes", true, false},
    {"own_score", "its own score", true, true},
    {"any_quote", "any quote", false, false},
};

struct model_figures {
    struct measured all;
    size_t n_exceptions, right_exceptions; /* of calls that raise, as predicted: the type too */
    size_t n_sure, n_sure_right;           /* at the paper's threshold, a confidence of 90 % */
};

static void count_sure(const struct scored *list, struct model_figures *out)
{
    static const double threshold = 0.9;
    for (size_t i = 0; i < out->all.figures.n_given && list[i].confidence >= threshold; i++) {
        out->n_sure++;
        out->n_sure_right += list[i].right;
    }
}

static void count_votes(const struct asking *k, size_t i, bool with_quote,
                        struct counted_votes *out)
{
    votes_count(k->at[i].votes, k->at[i].votes ? k->n_answers : 0, with_quote, out);
}

static void measure(const struct asking *k, const struct figures_row *row,
                    struct model_figures *out)
{
    struct scored *list = arena_new_array(k->a, struct scored, k->n + 1);
    *out = (struct model_figures){0};
    for (size_t i = 0; i < k->n; i++) {
        const struct trial *t = &k->m->at[i];
        struct counted_votes v;
        if (!trial_is_run(t))
            continue;
        count_votes(k, i, row->with_quote, &v);
        bool right = v.says.is_given && prediction_is_right(&v.says, &t->real);
        measured_add(&out->all, list, t, v.confidence, right);
        if (right && t->real.is == OUTCOME_KIND_RAISED) {
            out->n_exceptions++;
            out->right_exceptions += str_eq(v.exception, t->real.type);
        }
        if (v.says.is_given && row->by_score)
            list[out->all.figures.n_given - 1].confidence = v.score;
    }
    score_predictions(list, &out->all.figures);
    out->all.figures.ece = score_levels(list, out->all.figures.n_given);
    count_sure(list, out);
}

/* Of predictions that are all right, or all wrong, some measures are not defined. */
static bool is_mixed(const struct figures *f)
{
    return f->n_right > 0 && f->n_right < f->n_given;
}

static void put_measure(struct json_out *w, const char *key, bool is_defined, double value)
{
    json_key(w, key);
    if (is_defined)
        json_put_double(w, value);
    else
        json_put_null(w);
}

/* Wilson's interval at 95 %, in percent; null: of nothing. */
static void put_interval(struct json_out *w, const char *key, size_t part, size_t whole)
{
    if (!whole) {
        put_measure(w, key, false, 0);
        return;
    }
    struct confirm_interval i = confirm_wilson(part, whole);
    figures_put_interval(w, key, 100 * i.low, 100 * i.high);
}

static void put_figures(const struct asking *k, const struct figures_row *row, struct json_out *w)
{
    struct model_figures m;
    measure(k, row, &m);
    const struct figures *f = &m.all.figures;
    json_key(w, row->key);
    json_begin_object(w);
    figures_put_counts(&m.all, w);
    put_interval(w, "coverage_interval", f->n_given, f->n_population);
    put_interval(w, "accuracy_interval", f->n_right, f->n_given);
    put_measure(w, "ece", f->n_given > 0, 100 * f->ece);
    put_measure(w, "brier", f->n_given > 0, f->brier);
    put_measure(w, "brier_skill", is_mixed(f), f->skill);
    put_measure(w, "auroc", is_mixed(f), f->auroc);
    json_pair_u64(w, "given_at_90", m.n_sure);
    json_pair_u64(w, "right_at_90", m.n_sure_right);
    json_pair_u64(w, "exceptions", m.n_exceptions);
    json_pair_u64(w, "exceptions_right", m.right_exceptions);
    figures_put_kinds(&m.all, w);
    json_end_object(w);
}

static void put_call(const struct asking *k, size_t i, struct json_out *w)
{
    const struct trial *t = &k->m->at[i];
    struct strbuf text = {0};
    struct counted_votes v;
    count_votes(k, i, true, &v);
    struct call_outcome said = {.is = v.says.is_given ? v.says.is : OUTCOME_KIND_ABSTAINS,
                                .type = v.says.is == OUTCOME_KIND_RAISED ? v.exception : STR(""),
                                .n_leaves = v.says.n_leaves};
    memcpy(said.leaves, v.says.leaves, sizeof said.leaves);
    api_call_print(&t->changed, CALL_TENSORS_TYPED, &text);
    json_begin_object(w);
    json_pair_str(w, "call", strbuf_str(&text));
    json_pair_cstr(w, "change", change_name(t->change.kind));
    json_pair_str(w, "real", call_outcome_text(&t->real, k->a));
    json_pair_str(w, "says", call_outcome_text(&said, k->a));
    json_pair_double(w, "confidence", v.confidence);
    json_pair_double(w, "own_score", v.score);
    json_pair_bool(w, "right", v.says.is_given && prediction_is_right(&v.says, &t->real));
    json_key(w, "replies");
    json_begin_array(w);
    for (unsigned n = 0; k->at[i].votes && n < k->n_answers; n++)
        json_put_cstr(w, reply_status_name(k->at[i].votes[n].status));
    json_end_array(w);
    json_end_object(w);
    strbuf_done(&text);
}

static void put_replies(const struct asking *k, struct json_out *w)
{
    json_key(w, "replies");
    json_begin_object(w);
    for (unsigned s = 0; s < REPLY_STATUS_COUNT; s++)
        json_pair_u64(w, reply_status_name((enum reply_status)s), k->n_replies[s]);
    json_end_object(w);
}

/* How many of the calls ran, and raised: what a constant prediction is worth. */
static void put_outcomes(const struct asking *k, struct json_out *w)
{
    size_t n_ran = 0, n_raised = 0;
    for (size_t i = 0; i < k->n; i++) {
        n_ran += trial_is_run(&k->m->at[i]);
        n_raised += k->m->at[i].real.is == OUTCOME_KIND_RAISED;
    }
    json_pair_u64(w, "ran", n_ran);
    json_pair_u64(w, "raised", n_raised);
}

static void put_report(const struct asking *k, struct strbuf *text)
{
    struct json_out w = json_open(text, JSON_PRETTY);
    const struct foretold_by_model *m = k->m;
    json_begin_object(&w);
    json_pair_str(&w, "framework", m->docs->records.framework);
    json_pair_str(&w, "version", m->docs->records.version);
    json_pair_cstr(&w, "model", k->model);
    json_pair_i64(&w, "prompt_version", json_get_i64(k->words, "version", 0));
    json_pair_i64(&w, "seed", settings_int(m->s, SETTING_seed));
    json_pair_u64(&w, "calls", m->n);
    json_pair_u64(&w, "asked", k->n);
    json_pair_u64(&w, "without_document", k->n_undocumented);
    json_pair_u64(&w, "answers", k->n_answers);
    put_outcomes(k, &w);
    put_replies(k, &w);
    for (size_t i = 0; i < COUNT_OF(figures_rows); i++)
        put_figures(k, &figures_rows[i], &w);
    json_key(&w, "predictions");
    json_begin_array(&w);
    for (size_t i = 0; i < k->n; i++)
        put_call(k, i, &w);
    json_end_array(&w);
    json_end_object(&w);
    strbuf_addc(text, '\n');
}

static void print_share(const char *what, size_t part, size_t whole)
{
    if (!whole) {
        out_putf("none of 0 %s", what);
        return;
    }
    struct confirm_interval i = confirm_wilson(part, whole);
    out_putf("%.1f %% (%.1f-%.1f) of %zu %s", percent(part, whole), 100 * i.low, 100 * i.high,
             whole, what);
}

static void print_figures(const struct asking *k, const struct figures_row *row)
{
    struct model_figures m;
    measure(k, row, &m);
    const struct figures *f = &m.all.figures;
    out_putf("%-16s ", row->name);
    print_share("calls predicted, ", f->n_given, f->n_population);
    print_share("right", f->n_right, f->n_given);
    if (f->n_given)
        out_putf("; ECE %.1f, Brier %.3f", 100 * f->ece, f->brier);
    if (is_mixed(f))
        out_putf(", skill %.2f, AUROC %.2f", f->skill, f->auroc);
    out_putf("; at a confidence of 90 %% %zu of %zu right\n", m.n_sure_right, m.n_sure);
}

static void print_text(const struct asking *k, const char *path)
{
    const char *between = "";
    out_putf("%zu changed calls, equal shares of each kind, seed %lld; %s asked %u times about "
             "each of %zu\nreplies: ",
             k->m->n, (long long)settings_int(k->m->s, SETTING_seed), k->model, k->n_answers, k->n);
    for (unsigned s = REPLY_STATUS_COUNT; s-- > 0;) {
        if (!k->n_replies[s])
            continue;
        out_putf("%s%zu %s", between, k->n_replies[s], reply_status_name((enum reply_status)s));
        between = ", ";
    }
    out_putf("%s\n", *between ? "" : "none");
    if (k->n_undocumented)
        out_putf("%zu calls have no document, and are not predicted\n", k->n_undocumented);
    for (size_t i = 0; i < COUNT_OF(figures_rows); i++)
        print_figures(k, &figures_rows[i]);
    out_putf("each call: %s\n", path);
}

static bool tell(const struct asking *k, struct err *e)
{
    struct strbuf report = {0};
    const char *path = path_join(k->a, k->m->docs->out, "foretold-model.json");
    put_report(k, &report);
    bool ok = file_write(path, report.at, report.n, e);
    if (ok && settings_want_json(k->m->s))
        out_put(strbuf_str(&report));
    else if (ok)
        print_text(k, path);
    strbuf_done(&report);
    return ok;
}

bool foretell_by_model(const struct foretold_by_model *m, struct err *e)
{
    const struct llm_options o = llm_settings(m->s, m->docs->home);
    struct asking k = {.m = m,
                       .a = m->s->arena,
                       .model = o.model ? o.model : "default",
                       .is_replay = strcmp(o.url, "cassette") == 0,
                       .n_answers = (unsigned)settings_int(m->s, SETTING_llm_answers)};
    if (!ask_words(k.a, &k.words, e) || !llm_open(&o, &k.llm, e))
        return false;
    bool ok = ask_all(&k, e) && tell(&k, e);
    llm_close(k.llm);
    return ok;
}
