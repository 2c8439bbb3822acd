/*
 * The order of an alignment: records, generic calls, proposals, probes, all calls, verdicts, files.
 * Must not know how a call is run nor what makes outputs equal.
 */
#include "align/verify/verify.h"

#include "align/verify/verify_p.h"
#include "base/file.h"
#include "base/path.h"
#include "target/offline.h"

enum { RECORDS_MAX = 64 << 20, WITNESS_CALLS = 8 };

static void tell(const struct alignment *t, const char *line)
{
    if (t->o->tell)
        t->o->tell(t->o->ctx, line);
}

static void tell_runs(void *ctx, const char *opens, size_t n_done, size_t n_all)
{
    const struct alignment *t = ctx;
    tell(t, arena_printf(t->a, "%s: %zu of %zu calls", opens, n_done, n_all));
}

/* Opening sides ---------------------------------------------------------------------------------*/

static bool read_records(struct alignment *t, struct opened *x, struct err *e)
{
    struct offline_run *run = NULL;
    const char *words[] = {str_dup(t->a, x->side->records)};
    const struct offline_job job = {.installation = x->installation,
                                    .home = t->o->home,
                                    .script = "records.py",
                                    .words = words,
                                    .n_words = 1,
                                    .deadline_ms = 300000,
                                    .output_max = RECORDS_MAX,
                                    .best_effort = t->o->best_effort};
    bool ok = offline_run(&job, &run, e);
    if (ok && offline_end(run)->exit_code != 0)
        ok = err_set(e, ERR_ENVIRONMENT, "records of %s: " STR_FMT, words[0],
                     STR_ARG(str_sub(str_trim(offline_end(run)->err), 0, 400)));
    ok = ok && side_read_records(x->side, offline_end(run)->out, t->a, e);
    offline_close(run);
    return ok;
}

static bool open_runs(struct alignment *t, const struct opened *x, struct str opens,
                      struct runs **out, struct err *e)
{
    const char *name =
        arena_printf(t->a, STR_FMT "@" STR_FMT, STR_ARG(opens), STR_ARG(x->installation->version));
    const struct runs_options o = {.installation = x->installation,
                                   .home = t->o->home,
                                   .opens = str_dup(t->a, opens),
                                   .folder =
                                       path_join(t->a, path_join(t->a, t->o->home, "align"), name),
                                   .best_effort = t->o->best_effort,
                                   .stored_only = t->o->stored_only,
                                   .tell = tell_runs,
                                   .ctx = t};
    return runs_open(&o, t->a, out, e);
}

static bool is_asked(const struct alignment *t, const struct side *s)
{
    for (size_t i = 0; i < t->o->n_only; i++)
        if (str_is(s->name, t->o->only[i]))
            return true;
    return !t->o->n_only;
}

static struct text_array asked_symbols(const struct alignment *t)
{
    struct str *at = arena_new_array(t->a, struct str, t->o->n_symbols);
    for (size_t i = 0; i < t->o->n_symbols; i++)
        at[i] = str_of(t->o->symbols[i]);
    return (struct text_array){at, t->o->n_symbols};
}

static bool open_side(struct alignment *t, size_t at, struct err *e)
{
    struct opened *x = &t->opened[at];
    x->side = &t->sides.at[at];
    x->side->only = asked_symbols(t);
    x->installation = targets_newest(t->o->targets, x->side->engine);
    if (!x->installation)
        return true;
    tell(t, arena_printf(t->a, "public symbols of " STR_FMT, STR_ARG(x->side->name)));
    if (!read_records(t, x, e) || !open_runs(t, x, x->side->opens, &x->runs, e))
        return false;
    for (size_t i = 0; i < x->side->also.n && i < COUNT_OF(x->witnesses); i++)
        if (!open_runs(t, x, x->side->also.at[i], &x->witnesses[x->n_witnesses++], e))
            return false;
    return true;
}

/* Two sides -------------------------------------------------------------------------------------*/

static const struct call_list *calls_of(const struct alignment *t, const struct match *m)
{
    const struct subject *s = verify__subject(t, m->a);
    return m->is_slow ? &s->fewer : &s->calls;
}

/* A witness runs every so many of the calls. */
static size_t witness_step(const struct call_list *calls)
{
    return calls->list.n / WITNESS_CALLS + 1;
}

static void want_witnesses(struct alignment *t, const struct opened *b, const struct match *m)
{
    const struct call_list *calls = calls_of(t, m);
    for (size_t i = 0; i < calls->list.n && m->status <= MATCH_MIXED; i += witness_step(calls)) {
        struct call to;
        if (!adapter_apply(m->adapter, calls->list.at[i], t->a, &to))
            continue;
        for (size_t k = 0; k < b->n_witnesses; k++)
            runs_want(b->witnesses[k], m->b->name, &to);
    }
}

static void hear_witness(struct alignment *t, const struct opened *a, const struct runs *witness,
                         struct str name, struct match *m)
{
    const struct call_list *calls = calls_of(t, m);
    size_t common = 0, equal = 0;
    for (size_t i = 0; i < calls->list.n; i += witness_step(calls)) {
        struct arena own;
        struct call to;
        arena_init(&own);
        const struct output *oa = runs_output(a->runs, m->a->name, calls->list.at[i]), *ob = NULL;
        if (adapter_apply(m->adapter, calls->list.at[i], &own, &to))
            ob = runs_output(witness, m->b->name, &to);
        if (oa && ob && oa->kind == OUTPUT_OK && ob->kind == OUTPUT_OK) {
            common++;
            equal += outputs_compare(oa, ob, m->adapter, &own) <= AGREE_DTYPE;
        }
        arena_done(&own);
    }
    if (common)
        vec_push(&m->witnesses, t->a,
                 str_of(arena_printf(t->a, STR_FMT " %zu of %zu", STR_ARG(name), equal, common)));
}

static bool hear_witnesses(struct alignment *t, const struct opened *a, struct opened *b,
                           struct match_list *list, struct err *e)
{
    for (size_t i = 0; i < list->list.n && b->n_witnesses; i++)
        want_witnesses(t, b, &list->list.at[i]);
    for (size_t k = 0; k < b->n_witnesses; k++) {
        if (!runs_do(b->witnesses[k], e))
            return false;
        for (size_t i = 0; i < list->list.n; i++)
            if (list->list.at[i].status <= MATCH_MIXED)
                hear_witness(t, a, b->witnesses[k], b->side->also.at[k], &list->list.at[i]);
    }
    return true;
}

static void drop_unlike(struct match_list *list)
{
    size_t n = 0;
    for (size_t i = 0; i < list->list.n; i++)
        if (!match_is_unlike(&list->list.at[i]))
            list->list.at[n++] = list->list.at[i];
    list->list.n = n;
}

static bool judge_all(struct alignment *t, const struct opened *a, struct opened *b,
                      struct match_list *list, struct err *e)
{
    for (int rest = 0; rest < 2; rest++) {
        for (size_t i = 0; i < list->list.n; i++)
            match_want_probes(&list->list.at[i], calls_of(t, &list->list.at[i]), rest, b->runs,
                              t->a);
        if (!runs_do(b->runs, e))
            return false;
        for (size_t i = 0; i < list->list.n; i++)
            match_choose(&list->list.at[i], calls_of(t, &list->list.at[i]), rest, a->runs, b->runs,
                         t->a);
    }
    drop_unlike(list);
    for (size_t i = 0; i < list->list.n; i++)
        match_want_all(&list->list.at[i], calls_of(t, &list->list.at[i]), b->runs, t->a);
    if (!runs_do(b->runs, e))
        return false;
    for (size_t i = 0; i < list->list.n; i++) {
        struct match *m = &list->list.at[i];
        match_judge(m, calls_of(t, m), a->runs, b->runs, t->a);
        if (!verify__is_same_library(a, b))
            verify__rivals(t, a, b, m);
    }
    return hear_witnesses(t, a, b, list, e);
}

static bool align_two(struct alignment *t, struct side_pair two, struct verify_result *out,
                      struct err *e)
{
    struct opened *a = &t->opened[two.a], *b = &t->opened[two.b];
    struct match_list list = {{0}};
    struct strbuf text = {0};
    size_t n_generic = b->side->is_slow ? t->book.n_brief / 2 : t->book.n_brief;
    if (!verify__propose(t, a, b, &list, e))
        return false;
    if (!verify__is_same_library(a, b)) {
        verify__want_symbols(t, b, n_generic, false, &list);
        if (!runs_do(b->runs, e))
            return false;
        verify__behaviours(t, b, n_generic);
        verify__propose_alike(t, a, b, &list);
    }
    tell(t, arena_printf(t->a, STR_FMT " and " STR_FMT ": %zu pairs are proposed",
                         STR_ARG(a->side->name), STR_ARG(b->side->name), list.list.n));
    if (!judge_all(t, a, b, &list, e))
        return false;
    struct verify_counts counts = {0};
    verify__put_pairs(t, a, b, &list, &counts, &text);
    const char *name = arena_printf(t->a, STR_FMT "-" STR_FMT ".json", STR_ARG(a->side->name),
                                    STR_ARG(b->side->name));
    const char *path = path_join(t->a, t->o->out, name);
    bool ok = file_make_dirs(t->o->out, e) && file_write(path, text.at, text.n, e);
    strbuf_done(&text);
    out->files[out->n].a = a->side->name;
    out->files[out->n].b = b->side->name;
    out->files[out->n].file = str_of(path);
    out->files[out->n++].counts = counts;
    return ok;
}

/* Runs the symbols of a side that is the first of pairs, and chooses their calls. */
static bool begin_with(struct alignment *t, struct opened *first, bool all, struct err *e)
{
    verify__want_symbols(t, first, t->book.generic.n, true, NULL);
    if (!runs_do(first->runs, e))
        return false;
    verify__behaviours(t, first, t->book.generic.n);
    verify__subjects(t, first, all);
    return true;
}

static bool align_all(struct alignment *t, struct verify_result *out, struct err *e)
{
    const struct opened *first = NULL;
    for (size_t i = 0; i < t->sides.pairs.n && out->n < COUNT_OF(out->files); i++) {
        struct side_pair two = t->sides.pairs.at[i];
        struct opened *a = &t->opened[two.a], *b = &t->opened[two.b];
        if (!is_asked(t, &t->sides.at[two.b]))
            continue;
        out->n_left_out += !b->runs;
        if (!a->runs)
            return err_set(e, ERR_ENVIRONMENT,
                           STR_FMT " is not installed: assay targets add " STR_FMT,
                           STR_ARG(a->side->name), STR_ARG(a->side->engine));
        if (!b->runs)
            continue;
        if (a != first && !begin_with(t, a, verify__is_same_library(a, b), e))
            return false;
        first = a;
        if (!align_two(t, two, out, e))
            return false;
    }
    return true;
}

/* Is each name that was asked for a side which stands second in a pair? */
static bool check_asked(const struct alignment *t, struct err *e)
{
    size_t n = t->sides.pairs.n;
    const char **known = arena_new_array(t->a, const char *, n);
    for (size_t i = 0; i < n; i++)
        known[i] = str_dup(t->a, t->sides.at[t->sides.pairs.at[i].b].name);
    for (size_t i = 0; i < t->o->n_only; i++) {
        bool found = false;
        for (size_t k = 0; k < n; k++)
            found = found || strcmp(known[k], t->o->only[i]) == 0;
        if (!found)
            return err_set(e, ERR_USAGE, "\"%s\" is aligned with nothing%s", t->o->only[i],
                           str_known(str_of(t->o->only[i]), known, n, t->a));
    }
    return true;
}

/* Sides that are asked for, and those that stand first in a pair with one. */
static bool open_sides(struct alignment *t, struct err *e)
{
    bool *wanted = arena_new_array(t->a, bool, t->sides.n);
    for (size_t i = 0; i < t->sides.pairs.n; i++) {
        struct side_pair two = t->sides.pairs.at[i];
        bool asked = is_asked(t, &t->sides.at[two.b]);
        wanted[two.a] |= asked;
        wanted[two.b] |= asked;
    }
    t->opened = arena_new_array(t->a, struct opened, t->sides.n);
    for (size_t i = 0; i < t->sides.n; i++)
        if (wanted[i] && !open_side(t, i, e))
            return false;
    return true;
}

static void make_bare(struct alignment *t)
{
    t->bare = arena_new_array(t->a, struct call, t->book.generic.n);
    for (size_t i = 0; i < t->book.generic.n; i++)
        t->bare[i] = (struct call){.is_class = true, .args = t->book.generic.at[i].args};
}

bool verify_run(const struct verify_options *o, struct arena *a, struct verify_result *out,
                struct err *e)
{
    struct alignment t = {.o = o, .a = a};
    *out = (struct verify_result){.n = 0};
    if (!book_load(a, &t.book, e) || !sides_load(a, &t.sides, e) ||
        !pairs_load(NULL, a, &t.known, e))
        return false;
    make_bare(&t);
    if (!check_asked(&t, e) || !open_sides(&t, e) || !align_all(&t, out, e))
        return false;
    for (size_t i = 0; i < t.sides.n; i++)
        out->n_calls += t.opened[i].runs ? runs_n(t.opened[i].runs) : 0;
    return true;
}
