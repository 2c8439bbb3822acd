/*
 * Decides which changed calls are predicted and run, and which figures are printed. Must not know
 * how predictors work (generate/foretell/predict.h). Invariants: the population is fixed before a
 * predictor runs; reliability is measured on one half of the operators, and all figures except the
 * counts on the other half.
 */
#include "cli/docs_foretell.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/log.h"
#include "base/path.h"
#include "base/share.h"
#include "cli/command.h"
#include "cli/docs_check.h"
#include "cli/docs_corpus.h"
#include "cli/foretell_model.h"
#include "cli/llm_settings.h"
#include "generate/foretell/blame.h"
#include "generate/foretell/predict.h"
#include "generate/foretell/standard.h"

enum {
    CALLS_OF_OPERATOR = 20,
    PORTION = 2500,
    DEADLINE_MS = 1200000,
    ANSWER_MAX = 64 << 20,
    COVERED = 5, /* calls that make a name count as covered */
};

struct foretelling {
    const struct settings *s;
    struct docs docs;
    struct arena *a;
    struct api_calls seeds;
    struct call_outcome *seeds_abstract; /* ABSTAINS where there is no abstract run */
    struct trial *at;
    size_t n;
    struct calibration fit;
};

/* The population --------------------------------------------------------------------------------*/

struct candidate {
    const struct api_call *seed;
    struct change change;
    uint64_t order;
};

struct candidates {
    struct candidate *at;
    size_t n, cap;
};

static uint64_t order_of(const struct api_call *seed, const struct change *c)
{
    struct hasher h;
    hasher_init(&h);
    hasher_add_str(&h, seed->symbol);
    hasher_add_u64(&h, c->kind);
    hasher_add_u64(&h, c->at);
    hasher_add_str(&h, c->text);
    struct hash hash = hasher_done(&h);
    return hash_prefix(&hash);
}

static int by_order(const void *x, const void *y)
{
    const struct candidate *a = x, *b = y;
    return a->order < b->order ? -1 : a->order > b->order;
}

static const struct documented_parameters *documented_of(const struct foretelling *f,
                                                         const struct api_record *r)
{
    struct documented_parameters *all;
    if (!r || (f->n && f->at[f->n - 1].record == r))
        return r ? f->at[f->n - 1].documented : NULL;
    all = arena_new(f->a, struct documented_parameters);
    documented_parameters_of(r, f->a, all);
    return all;
}

/* Returns false: the change changes nothing. */
static bool add_trial(struct foretelling *f, const struct candidate *c)
{
    struct trial t = {.seed = c->seed, .change = c->change};
    if (!change_apply(c->seed, &c->change, f->a, &t.changed))
        return false;
    t.record = docs_record(&f->docs, c->seed->symbol, f->a);
    t.documented = documented_of(f, t.record);
    f->at[f->n++] = t;
    return true;
}

/* The unused candidate of the name whose kind the operator has used least; within a kind the order
 * is that of a hash. NULL: none is left. */
static struct candidate *next_of(struct candidates *all, const bool *used, struct str symbol,
                                 const size_t *n_kind)
{
    struct candidate *best = NULL;
    for (size_t i = 0; i < all->n; i++) {
        struct candidate *c = &all->at[i];
        if (!used[i] && str_eq(c->seed->symbol, symbol) &&
            (!best || n_kind[c->change.kind] < n_kind[best->change.kind]))
            best = c;
    }
    return best;
}

static size_t names_of(const struct candidates *all, struct arena *a, struct str **out)
{
    struct intern names = {0};
    for (size_t i = 0; i < all->n; i++)
        intern_id(&names, a, all->at[i].seed->symbol);
    size_t n = intern_count(&names);
    *out = arena_new_array(a, struct str, n + 1);
    for (size_t i = 0; i < n; i++)
        (*out)[i] = intern_str(&names, (uint32_t)i);
    return n;
}

/* Takes candidates of the name, at most `most` and as many as the operator may still have. */
static bool take_of(struct foretelling *f, struct candidates *all, struct str name, bool *used,
                    size_t *n_kind, size_t most)
{
    size_t n = 0;
    while (n < most) {
        struct candidate *c = next_of(all, used, name, n_kind);
        if (!c)
            break;
        used[c - all->at] = true;
        if (add_trial(f, c)) {
            n_kind[c->change.kind]++;
            n++;
        }
    }
    return n > 0;
}

/* Each name of the operator takes in turn as many candidates as make it covered, until the operator
 * has its calls. */
static void choose(struct foretelling *f, struct candidates *all)
{
    size_t before = f->n, n_kind[CHANGE_COUNT] = {0};
    bool *used = arena_new_array(f->a, bool, all->n + 1);
    struct str *names;
    if (!all->n)
        return;
    qsort(all->at, all->n, sizeof all->at[0], by_order);
    size_t n_names = names_of(all, f->a, &names);
    for (bool any = true; any;) {
        any = false;
        for (size_t i = 0; i < n_names; i++) {
            size_t most = MIN((size_t)COVERED, CALLS_OF_OPERATOR - (f->n - before));
            any = take_of(f, all, names[i], used, n_kind, most) || any;
        }
    }
}

static int by_op(const void *x, const void *y)
{
    const struct api_call *a = x, *b = y;
    int c = str_cmp(a->op, b->op);
    return c ? c : a < b ? -1 : a > b;
}

static void populate(struct foretelling *f)
{
    size_t n_ops = 0;
    qsort(f->seeds.at, f->seeds.n, sizeof f->seeds.at[0], by_op);
    for (size_t i = 0; i < f->seeds.n; i++)
        n_ops += i == 0 || !str_eq(f->seeds.at[i].op, f->seeds.at[i - 1].op);
    f->at = arena_new_array(f->a, struct trial, n_ops * CALLS_OF_OPERATOR);
    for (size_t i = 0; i < f->seeds.n;) {
        struct candidates all = {0};
        struct str op = f->seeds.at[i].op;
        for (; i < f->seeds.n && str_eq(f->seeds.at[i].op, op); i++) {
            struct changes changes;
            changes_of(&f->seeds.at[i], f->a, &changes);
            for (size_t k = 0; k < changes.n; k++) {
                struct candidate c = {&f->seeds.at[i], changes.at[k],
                                      order_of(&f->seeds.at[i], &changes.at[k])};
                vec_push(&all, f->a, c);
            }
        }
        choose(f, &all);
    }
}

/* Runs ------------------------------------------------------------------------------------------*/

/* Calls i with from <= i < to: the changed ones, or the abstract runs of the seeds alone. */
struct portion {
    size_t from, to;
    bool is_of_seeds;
};

static struct str order_text(const struct foretelling *f, const struct portion *p)
{
    struct strbuf text = {0};
    struct json_out w = json_open(&text, JSON_COMPACT);
    json_begin_object(&w);
    if (p->is_of_seeds)
        json_pair_bool(&w, "abstract_only", true);
    json_key(&w, "calls");
    json_begin_array(&w);
    for (size_t i = p->from; i < p->to; i++)
        api_call_write(p->is_of_seeds ? &f->seeds.at[i] : &f->at[i].changed, CALL_ARGUMENTS_MAX,
                       STR(""), &w);
    json_end_array(&w);
    json_end_object(&w);
    struct str order = strbuf_dup(&text, f->a);
    strbuf_done(&text);
    return order;
}

/* {"fake" | "traced" | "model": outcome, "cpu_ns": {...}}; how stays "": there is no such run. */
static bool take_abstract(struct foretelling *f, const struct json *j, struct call_outcome *out,
                          struct str *how, double *ns, struct err *e)
{
    static const char *const ways[] = {"fake", "traced", "model"};
    const struct json *cpu_ns = json_get(j, "cpu_ns");
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        const struct json *abstract = json_get(j, ways[i]);
        if (!abstract)
            continue;
        if (!call_outcome_read(abstract, out, e))
            return false;
        *how = str_of(ways[i]);
        *ns = cpu_ns ? json_get_double(cpu_ns, ways[i], 0) : 0;
        if (json_get(abstract, "bytes"))
            standard_outcome(json_get_str(abstract, "bytes", STR("")), f->a, out);
    }
    return true;
}

/* As take_abstract, with "real": outcome. */
static bool take_trial(struct foretelling *f, const struct json *j, struct trial *t, struct err *e)
{
    const struct json *real, *ns = json_get(j, "cpu_ns");
    if (!json_need(j, "real", JSON_KIND_OBJECT, &real, e) || !call_outcome_read(real, &t->real, e))
        return false;
    t->ns_real = ns ? json_get_double(ns, "real", 0) : 0;
    return take_abstract(f, j, &t->abstract, &t->how, &t->ns_abstract, e);
}

static bool take_seed(struct foretelling *f, const struct json *j, struct call_outcome *out,
                      struct err *e)
{
    struct str how = STR("");
    double ns;
    *out = (struct call_outcome){.is = OUTCOME_KIND_ABSTAINS};
    return take_abstract(f, j, out, &how, &ns, e);
}

static bool take_answer(struct foretelling *f, struct str answer, const struct portion *p,
                        struct err *e)
{
    struct str rest = str_trim(answer), line;
    size_t at = p->from;
    while (rest.n && at < p->to && str_split(&rest, '\n', &line)) {
        const struct json *j;
        if (!json_parse(line, "foretold", f->a, &j, e) ||
            !(p->is_of_seeds ? take_seed(f, j, &f->seeds_abstract[at], e)
                             : take_trial(f, j, &f->at[at], e)))
            return err_wrap(e, "answer to call %zu", at + 1);
        at++;
    }
    return at == p->to || err_set(e, ERR_DATA, "the worker answered %zu of %zu calls", at - p->from,
                                  p->to - p->from);
}

static bool run_portion(struct foretelling *f, const struct portion *p, struct err *e)
{
    struct str answer;
    const struct docs_job job = {.folder = "foretold",
                                 .script = "foretold.py",
                                 .words = {"run", str_dup(f->a, f->docs.records.framework)},
                                 .n_words = 2,
                                 .deadline_ms = DEADLINE_MS,
                                 .answer_max = ANSWER_MAX};
    if (!docs_answer(&f->docs, &job, order_text(f, p), f->a, &answer, e))
        return false;
    return take_answer(f, answer, p, e);
}

static bool run_all(struct foretelling *f, bool is_of_seeds, struct err *e)
{
    size_t n = is_of_seeds ? f->seeds.n : f->n;
    for (size_t at = 0; at < n; at += PORTION) {
        const struct portion p = {at, MIN(at + PORTION, n), is_of_seeds};
        if (!run_portion(f, &p, e))
            return err_wrap(e, "%s %zu to %zu", is_of_seeds ? "seeds" : "calls", at + 1, p.to);
        log_info("%zu of %zu %s", p.to, n, is_of_seeds ? "seeds" : "calls");
    }
    return true;
}

static struct situation situation_of(const struct foretelling *f, const struct trial *t)
{
    return (struct situation){.record = t->record,
                              .seed = t->seed,
                              .changed = &t->changed,
                              .change = &t->change,
                              .abstract = t->how.n ? &t->abstract : NULL,
                              .seed_abstract = &f->seeds_abstract[t->seed - f->seeds.at],
                              .how = t->how,
                              .documented = t->documented};
}

static void predict(struct foretelling *f)
{
    for (size_t i = 0; i < f->n; i++) {
        struct situation s = situation_of(f, &f->at[i]);
        predict_all(&s, f->at[i].predictions);
        if (trial_is_run(&f->at[i]) && predict_half(f->at[i].seed->op) == 0)
            calibration_add(&f->fit, &s, f->at[i].predictions, &f->at[i].real, f->a);
    }
    calibration_fit(&f->fit, f->a);
}

/* Figures ---------------------------------------------------------------------------------------*/

struct answer {
    double confidence; /* 0: all predictors of the columns abstain */
    bool is_shown;     /* the call ran, and its operator is of the half that figures are of */
    bool is_right;
};

static struct answer answer_of(const struct foretelling *f, const struct trial *t, unsigned columns)
{
    struct situation s = situation_of(f, t);
    struct answer x = {.is_shown = trial_is_run(t) && predict_half(t->seed->op) != 0};
    enum predictor which = 0;
    if (!x.is_shown)
        return x;
    x.confidence = calibration_best(&f->fit, &s, t->predictions, columns, &which);
    x.is_right = x.confidence > 0 && prediction_is_right(&t->predictions[which], &t->real);
    return x;
}

/* Returns the predictions, which are as many as the figures say. */
static struct scored *measure(const struct foretelling *f, unsigned columns, struct measured *all)
{
    struct scored *list = arena_new_array(f->a, struct scored, f->n);
    *all = (struct measured){0};
    for (size_t i = 0; i < f->n; i++) {
        struct answer x = answer_of(f, &f->at[i], columns);
        if (x.is_shown)
            measured_add(all, list, &f->at[i], x.confidence, x.is_right);
    }
    score_predictions(list, &all->figures);
    return list;
}

static void figures_to_json(const struct foretelling *f, const char *name, unsigned columns,
                            struct json_out *w)
{
    struct measured all;
    struct score_intervals of;
    struct scored *list = measure(f, columns, &all);
    score_bootstrap(list, all.figures.n_given, f->a, &of);
    json_key(w, name);
    json_begin_object(w);
    figures_put_counts(&all, w);
    json_pair_double(w, "ece", 100 * all.figures.ece);
    json_pair_double(w, "brier", all.figures.brier);
    json_pair_double(w, "brier_skill", all.figures.skill);
    json_pair_double(w, "auroc", all.figures.auroc);
    figures_put_interval(w, "accuracy_interval", 100 * of.accuracy.low, 100 * of.accuracy.high);
    figures_put_interval(w, "ece_interval", 100 * of.ece.low, 100 * of.ece.high);
    figures_put_interval(w, "brier_skill_interval", of.skill.low, of.skill.high);
    figures_put_interval(w, "auroc_interval", of.auroc.low, of.auroc.high);
    figures_put_kinds(&all, w);
    json_end_object(w);
}

static void reliability_to_json(const struct foretelling *f, struct json_out *w)
{
    json_key(w, "reliability");
    json_begin_array(w);
    for (unsigned p = 0; p < PREDICTOR_COUNT; p++)
        for (unsigned k = 0; k < CHANGE_COUNT; k++)
            for (unsigned said = 0; said < 2; said++) {
                if (!f->fit.n[p][k][said])
                    continue;
                json_begin_object(w);
                json_pair_cstr(w, "predictor", predictor_name((enum predictor)p));
                json_pair_cstr(w, "change", change_name((enum change_kind)k));
                json_pair_cstr(w, "says", said ? "works" : "raises");
                json_pair_u64(w, "n", f->fit.n[p][k][said]);
                json_pair_u64(w, "right", f->fit.right[p][k][said]);
                json_end_object(w);
            }
    json_end_array(w);
}

static enum blame blamed(const struct trial *t)
{
    if (outcome_kind_is_failure(t->abstract.is))
        return BLAME_ABSTRACT;
    return blame_of(t->predictions, t->change.kind, &t->real);
}

static void blames_to_json(const struct foretelling *f, struct json_out *w)
{
    size_t n[BLAME_COUNT] = {0};
    for (size_t i = 0; i < f->n; i++)
        n[blamed(&f->at[i])]++;
    json_key(w, "blamed");
    json_begin_object(w);
    for (unsigned b = BLAME_DOCUMENT; b < BLAME_COUNT; b++)
        json_pair_u64(w, blame_name((enum blame)b), n[b]);
    json_end_object(w);
}

static void disagreements_to_json(const struct foretelling *f, struct json_out *w)
{
    json_key(w, "disagreements");
    json_begin_array(w);
    for (size_t i = 0; i < f->n; i++) {
        const struct trial *t = &f->at[i];
        struct strbuf text = {0};
        if (blamed(t) == BLAME_NOBODY)
            continue;
        api_call_print(&t->changed, CALL_TENSORS_WRITTEN, &text);
        json_begin_object(w);
        json_pair_str(w, "symbol", t->seed->symbol);
        json_pair_cstr(w, "change", change_name(t->change.kind));
        json_pair_u64(w, "argument", t->change.at);
        json_pair_str(w, "call", strbuf_str(&text));
        json_pair_str(w, "real", call_outcome_text(&t->real, f->a));
        json_pair_cstr(w, "blamed", blame_name(blamed(t)));
        json_pair_str(w, "abstract", call_outcome_text(&t->abstract, f->a));
        json_end_object(w);
        strbuf_done(&text);
    }
    json_end_array(w);
}

/* Counts names and operators with at least COVERED calls that were run and that some predictor
 * judged. */
static void count_covered(const struct foretelling *f, size_t *n_names, size_t *n_ops)
{
    struct map names = {0}, ops = {0};
    *n_names = *n_ops = 0;
    for (size_t i = 0; i < f->n; i++) {
        const struct trial *t = &f->at[i];
        bool given = false;
        for (unsigned p = 0; p < PREDICTOR_COUNT; p++)
            given = given || t->predictions[p].is_given;
        if (!given || !trial_is_run(t))
            continue;
        *n_names += ++*map_at(&names, f->a, t->seed->symbol, NULL) == COVERED;
        *n_ops += ++*map_at(&ops, f->a, t->seed->op, NULL) == COVERED;
    }
}

static void speed(const struct foretelling *f, double *both_per_second)
{
    double ns = 0;
    size_t n = 0;
    for (size_t i = 0; i < f->n; i++)
        if (trial_is_run(&f->at[i]) && f->at[i].ns_real > 0 && f->at[i].ns_abstract > 0) {
            ns += f->at[i].ns_real + f->at[i].ns_abstract;
            n++;
        }
    *both_per_second = ns > 0 ? (double)n * 1e9 / ns : 0;
}

/* ATOC's statuses of a test, by the real run. */
static const char *const statuses[OUTCOME_KIND_COUNT] = {"valid", "exception", "crash",
                                                         "hangs", "flaky",     "notarget"};

static void count_statuses(const struct foretelling *f, size_t n[static OUTCOME_KIND_COUNT])
{
    memset(n, 0, OUTCOME_KIND_COUNT * sizeof *n);
    for (size_t i = 0; i < f->n; i++)
        n[f->at[i].real.is]++;
}

static void statuses_to_json(const size_t n[static OUTCOME_KIND_COUNT], struct json_out *w)
{
    json_key(w, "statuses");
    json_begin_object(w);
    for (size_t i = 0; i < OUTCOME_KIND_COUNT; i++)
        json_pair_u64(w, statuses[i], n[i]);
    json_end_object(w);
}

static void print_statuses(const struct foretelling *f)
{
    size_t n[OUTCOME_KIND_COUNT];
    count_statuses(f, n);
    out_putf("calls run:");
    for (size_t i = 0; i < OUTCOME_KIND_COUNT; i++)
        out_putf("%s %zu %s", i ? "," : "", n[i], statuses[i]);
    out_putf("\n");
}

static void put_report(const struct foretelling *f, struct strbuf *text)
{
    struct json_out w = json_open(text, JSON_PRETTY);
    size_t n_names, n_ops, n[OUTCOME_KIND_COUNT];
    double per_second;
    count_covered(f, &n_names, &n_ops);
    speed(f, &per_second);
    count_statuses(f, n);
    json_begin_object(&w);
    json_pair_str(&w, "framework", f->docs.records.framework);
    json_pair_str(&w, "version", f->docs.records.version);
    json_pair_u64(&w, "seeds", f->seeds.n);
    json_pair_u64(&w, "calls", f->n);
    json_pair_u64(&w, "ran", n[OUTCOME_KIND_OK] + n[OUTCOME_KIND_RAISED]);
    json_pair_u64(&w, "raised", n[OUTCOME_KIND_RAISED]);
    json_pair_u64(&w, "names_covered", n_names);
    json_pair_u64(&w, "operators_covered", n_ops);
    json_pair_double(&w, "calls_per_cpu_second", per_second);
    statuses_to_json(n, &w);
    figures_to_json(f, "documents_only", COLUMN_DOCUMENTS, &w);
    figures_to_json(f, "with_fake", COLUMN_DOCUMENTS | COLUMN_FAKE, &w);
    figures_to_json(f, "traced", COLUMN_DOCUMENTS | COLUMN_FAKE | COLUMN_TRACED, &w);
    reliability_to_json(f, &w);
    blames_to_json(f, &w);
    disagreements_to_json(f, &w);
    json_end_object(&w);
}

static void print_figures(const char *name, const struct figures *g)
{
    out_putf("%-16s %6.1f %% of %zu calls predicted, %5.1f %% right (works %.1f, raises %.1f); ECE "
             "%.1f, Brier %.3f, skill %.2f, AUROC %.2f\n",
             name, percent(g->n_given, g->n_population), g->n_population,
             percent(g->n_right, g->n_given), percent(g->right_ok, g->n_ok),
             percent(g->right_raised, g->n_raised), 100 * g->ece, g->brier, g->skill, g->auroc);
    out_putf("%-16s right at coverage", "");
    for (size_t i = 1; i < SCORE_STEPS && g->accuracy_at[i] >= 0; i += 2)
        out_putf("  %zu0 %%: %.1f", (i + 1) / 2, 100 * g->accuracy_at[i]);
    out_putf("\n");
}

static void print_text(const struct foretelling *f)
{
    struct measured documents, with_fake, traced;
    size_t n_names, n_ops, n_disagree = 0;
    measure(f, COLUMN_DOCUMENTS, &documents);
    measure(f, COLUMN_DOCUMENTS | COLUMN_FAKE, &with_fake);
    measure(f, COLUMN_DOCUMENTS | COLUMN_FAKE | COLUMN_TRACED, &traced);
    count_covered(f, &n_names, &n_ops);
    for (size_t i = 0; i < f->n; i++)
        n_disagree += blamed(&f->at[i]) != BLAME_NOBODY;
    out_putf("%zu seeds, %zu changed calls; %zu names and %zu operators with %d calls or more\n",
             f->seeds.n, f->n, n_names, n_ops, (int)COVERED);
    print_statuses(f);
    print_figures("documents only", &documents.figures);
    print_figures("+ execution-free", &with_fake.figures);
    print_figures("+ traced", &traced.figures);
    out_putf("%zu calls in which document, abstract run and call contradict each other: %s\n",
             n_disagree, path_join(f->a, f->docs.out, "foretold.json"));
}

/* Keeps the seeds of one API. */
static bool keep_only(struct api_calls *seeds, struct str symbol, struct err *e)
{
    size_t n = 0;
    for (size_t i = 0; i < seeds->n; i++)
        if (str_eq(seeds->at[i].symbol, symbol))
            seeds->at[n++] = seeds->at[i];
    seeds->n = n;
    return n || err_set(e, ERR_USAGE, "no seed calls of " STR_FMT, STR_ARG(symbol));
}

/* A sample of the population is run and predicted by the language model. */
static bool foretell_sampled(struct foretelling *f, const char *what, struct err *e)
{
    f->n = foretell_sample(f->s, f->at, f->n);
    const struct foretold_by_model m = {f->s, &f->docs, f->at, f->n};
    if (!f->n)
        return err_set(e, ERR_USAGE,
                       "no changed call of %s is of the half of operators that predictions are "
                       "tested on",
                       what);
    return run_all(f, false, e) && foretell_by_model(&m, e);
}

bool docs_foretell(const struct settings *s, const char *what, int *exit_code, struct err *e)
{
    struct foretelling f = {.s = s, .a = s->arena};
    struct strbuf report = {0};
    struct str text, whole = str_of(what);
    size_t root = str_find_byte(whole, '.');
    const char *framework = str_dup(f.a, str_sub(whole, 0, root));
    const char *name = arena_printf(f.a, "foretell/%s.jsonl", framework);
    (void)exit_code;
    if (settings_given(s, SETTING_docs_corpus))
        return docs_corpus(s, framework, e);
    if (!share_find(name, &text))
        return err_set(e, ERR_USAGE,
                       "no seed calls of \"%s\": torch, keras, jax, tensorflow and onnx have some",
                       framework);
    if (!docs_open(s, framework, &f.docs, e) || !api_calls_read(text, name, f.a, &f.seeds, e))
        return false;
    if (root < whole.n && !keep_only(&f.seeds, whole, e))
        return false;
    populate(&f);
    if (llm_settings(s, f.docs.home).url)
        return foretell_sampled(&f, what, e);
    f.seeds_abstract = arena_new_array(f.a, struct call_outcome, f.seeds.n);
    if (!run_all(&f, true, e) || !run_all(&f, false, e))
        return false;
    predict(&f);
    put_report(&f, &report);
    strbuf_addc(&report, '\n');
    bool ok = file_write(path_join(f.a, f.docs.out, "foretold.json"), report.at, report.n, e);
    if (ok && settings_want_json(s))
        out_put(strbuf_str(&report));
    else if (ok)
        print_text(&f);
    strbuf_done(&report);
    return ok;
}
