/*
 * Decides from the outputs of two symbols whether they are a pair. Must not know how calls are run.
 * Invariant: a call by which an adapter was chosen is not used to judge it.
 */
#include "align/verify/match.h"

enum {
    PROBES = 4,
    COMMON_MIN = 10,
    KINDS_MIN = 3,
    DISTINCT_MIN = 5,
    KINDS_MAX = 64,
    DISTINCT_MAX = 64
};

static const char *const status_names[] = {"equal", "equal-with-adapter", "mixed", "unverified",
                                           "rejected"};
static const char *const source_names[] = {"name", "table", "pivot", "text", "behaviour"};

const char *match_status_name(enum match_status s)
{
    return status_names[s];
}

const char *match_source_name(enum match_source s)
{
    return source_names[s];
}

/* Fills `at` with the indices of at most PROBES even calls, evenly spread; returns their number. */
static size_t probes_of(const struct call_list *calls, size_t *at)
{
    size_t n = 0, even = (calls->list.n + 1) / 2;
    for (size_t k = 0; k < PROBES && even; k++) {
        size_t i = k * even / PROBES * 2;
        if (n && at[n - 1] == i)
            continue;
        at[n++] = i;
    }
    return n;
}

static size_t first_of(const struct match *m, bool rest)
{
    return rest ? m->candidates.n_likely : 0;
}

static size_t end_of(const struct match *m, bool rest)
{
    bool all = rest && m->source != MATCH_BY_TEXT;
    return all ? m->candidates.list.n : m->candidates.n_likely;
}

void match_want_probes(struct match *m, const struct call_list *calls, bool rest, struct runs *b,
                       struct arena *a)
{
    size_t probes[PROBES], n = probes_of(calls, probes);
    if (m->is_settled)
        return;
    for (size_t c = first_of(m, rest); c < end_of(m, rest); c++) {
        for (size_t i = 0; i < n; i++) {
            struct call to;
            if (adapter_apply(&m->candidates.list.at[c], calls->list.at[probes[i]], a, &to))
                runs_want(b, m->b->name, &to);
        }
    }
}

struct tally {
    size_t mapped, common, equal, plain; /* plain: also equal in dtype */
};

static void look(struct match *m, const struct adapter *x, const struct call *call,
                 const struct runs *ra, const struct runs *rb, struct arena *a, struct tally *t)
{
    struct arena own;
    struct call to;
    arena_init(&own);
    if (adapter_apply(x, call, &own, &to)) {
        const struct output *oa = runs_output(ra, m->a->name, call);
        const struct output *ob = runs_output(rb, m->b->name, &to);
        t->mapped++;
        if (oa && ob && oa->kind == OUTPUT_OK && ob->kind == OUTPUT_OK) {
            enum agreement how = outputs_compare(oa, ob, x, &own);
            t->common++;
            t->equal += how <= AGREE_DTYPE;
            t->plain += how == AGREE_EQUAL;
        }
    }
    arena_done(&own);
    (void)a;
}

/* More equal calls win; then fewer that differ; then the smaller adapter, which is listed first. */
void match_choose(struct match *m, const struct call_list *calls, bool rest, const struct runs *ra,
                  const struct runs *rb, struct arena *a)
{
    size_t probes[PROBES], n = probes_of(calls, probes);
    if (m->is_settled)
        return;
    for (size_t c = first_of(m, rest); c < end_of(m, rest); c++) {
        struct tally t = {0};
        for (size_t i = 0; i < n; i++)
            look(m, &m->candidates.list.at[c], calls->list.at[probes[i]], ra, rb, a, &t);
        long score = (long)(t.equal * 100) - (long)((t.common - t.equal) * 30) + (long)t.plain;
        if (t.equal && score > m->score) {
            m->score = score;
            m->adapter = &m->candidates.list.at[c];
            m->is_settled = t.equal * 3 >= n * 2 && t.equal == t.common;
        }
    }
    if (!m->adapter)
        m->adapter = &m->candidates.list.at[0];
}

bool match_is_named(const struct match *m)
{
    return m->source == MATCH_BY_NAME || m->source == MATCH_BY_TABLE;
}

bool match_is_unlike(const struct match *m)
{
    return m->source == MATCH_BY_TEXT && m->score <= 0;
}

void match_want_all(struct match *m, const struct call_list *calls, struct runs *b, struct arena *a)
{
    for (size_t i = 0; i < calls->list.n; i++) {
        struct call to;
        runs_want(b, m->b->name, calls->list.at[i]);
        if (adapter_apply(m->adapter, calls->list.at[i], a, &to))
            runs_want(b, m->b->name, &to);
    }
}

/* Judging ---------------------------------------------------------------------------------------*/

struct seen {
    uint64_t at[DISTINCT_MAX];
    size_t n;
};

static void see(struct seen *s, uint64_t what)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->at[i] == what)
            return;
    if (s->n < DISTINCT_MAX)
        s->at[s->n++] = what;
}

static uint64_t kind_of(const struct call *c)
{
    struct strbuf text = {0};
    uint64_t h = 1469598103934665603u;
    call_print_kind(c, &text);
    for (size_t i = 0; i < text.n; i++)
        h = (h ^ (unsigned char)text.at[i]) * 1099511628211u;
    strbuf_done(&text);
    return h;
}

static void note_dtypes(struct match *m, const struct output *a, const struct output *b)
{
    const struct adapter *x = m->adapter;
    size_t ia = x->leaf_a >= 0 ? (size_t)x->leaf_a : 0, ib = x->leaf_b >= 0 ? (size_t)x->leaf_b : 0;
    for (size_t i = 0; ia + i < a->n && ib + i < b->n && !m->dtype_a.n; i++) {
        if (!str_eq(a->leaves[ia + i].dtype, b->leaves[ib + i].dtype)) {
            m->dtype_a = a->leaves[ia + i].dtype;
            m->dtype_b = b->leaves[ib + i].dtype;
        }
    }
}

/* Does an input hold NaN, infinities or extreme floats? */
static bool is_special(const struct call *c)
{
    for (size_t i = 0; i < c->args.n; i++) {
        struct tensor_spec s;
        const struct arg *v = &c->args.at[i].value;
        if (v->kind == ARG_TENSOR && tensor_spec_parse(v->text, &s) &&
            (str_is(s.draw, "nan") || str_is(s.draw, "inf") || str_is(s.draw, "edge")))
            return true;
    }
    return false;
}

static bool has_text(const struct str *at, size_t n, struct str text)
{
    for (size_t i = 0; i < n; i++)
        if (str_eq(at[i], text))
            return true;
    return false;
}

/* The call gave equal outputs: on its ranks and dtypes the pair is equal. */
static void note_domain(struct match *m, const struct call *call, struct arena *a)
{
    struct strbuf ranks = {0}, dtypes = {0};
    vec_push(&m->equals, a, call);
    call_print_ranks(call, &ranks);
    call_print_dtypes(call, &dtypes);
    if (!has_text(m->ranks.at, m->ranks.n, strbuf_str(&ranks)))
        vec_push(&m->ranks, a, strbuf_dup(&ranks, a));
    if (!has_text(m->dtypes.at, m->dtypes.n, strbuf_str(&dtypes)))
        vec_push(&m->dtypes, a, strbuf_dup(&dtypes, a));
    strbuf_done(&ranks);
    strbuf_done(&dtypes);
}

static void count_call(struct match *m, const struct call *call, size_t at, const struct runs *ra,
                       const struct runs *rb, struct arena *a, struct seen *kinds,
                       struct seen *distinct)
{
    struct arena own;
    struct call to;
    arena_init(&own);
    const struct output *oa = runs_output(ra, m->a->name, call), *ob = NULL;
    m->counts.n_calls++;
    bool maps = adapter_apply(m->adapter, call, &own, &to);
    if (maps) {
        m->counts.n_mapped++;
        ob = runs_output(rb, m->b->name, &to);
    }
    bool ok_a = oa && oa->kind == OUTPUT_OK, ok_b = ob && ob->kind == OUTPUT_OK;
    m->counts.a_only += ok_a && ob && !ok_b;
    m->counts.b_only += ok_b && oa && !ok_a;
    if (ok_a && ok_b) {
        enum agreement how = outputs_compare(oa, ob, m->adapter, &own);
        bool equal = how <= AGREE_DTYPE;
        bool fitted = at % 2 == 0, special = is_special(call);
        m->counts.special += special;
        m->counts.special_equal += special && equal;
        m->counts.common++;
        m->counts.equal += equal;
        m->counts.dtype_only += how == AGREE_DTYPE;
        m->counts.held += !fitted && !special;
        m->counts.held_equal += !fitted && !special && equal;
        see(kinds, kind_of(call));
        if (equal && (match_is_named(m) || !output_is_fill(oa)))
            see(distinct, oa->digest);
        if (how == AGREE_DTYPE)
            note_dtypes(m, oa, ob);
        if (equal)
            note_domain(m, call, a);
        else
            vec_push(&m->differs, a, (struct differing){call, how});
    }
    arena_done(&own);
}

static void count_plain(struct match *m, const struct call_list *calls, const struct runs *ra,
                        const struct runs *rb, struct arena *a)
{
    struct tally t = {0};
    struct adapter plain;
    struct err e = {0};
    if (adapter_parse(STR("*"), a, &plain, &e))
        for (size_t i = 0; i < calls->list.n; i++)
            look(m, &plain, calls->list.at[i], ra, rb, a, &t);
    m->counts.plain_common = t.common;
    m->counts.plain_equal = t.equal;
}

static bool too_little(struct match *m, struct arena *a)
{
    if (m->counts.common < COMMON_MIN)
        m->reason = str_of(
            arena_printf(a, "%zu common calls, %d are needed", m->counts.common, COMMON_MIN));
    else if (m->counts.kinds < KINDS_MIN)
        m->reason = str_of(
            arena_printf(a, "%zu kinds of input, %d are needed", m->counts.kinds, KINDS_MIN));
    else if (m->counts.distinct < DISTINCT_MIN)
        m->reason = str_of(arena_printf(a, "%zu distinct outputs, %d are needed",
                                        m->counts.distinct, DISTINCT_MIN));
    return m->reason.n > 0;
}

void match_judge(struct match *m, const struct call_list *calls, const struct runs *ra,
                 const struct runs *rb, struct arena *a)
{
    struct seen kinds = {.n = 0}, distinct = {.n = 0};
    for (size_t i = 0; i < calls->list.n; i++)
        count_call(m, calls->list.at[i], i, ra, rb, a, &kinds, &distinct);
    m->counts.kinds = kinds.n;
    m->counts.distinct = distinct.n;
    count_plain(m, calls, ra, rb, a);
    double share = m->counts.held ? (double)m->counts.held_equal / (double)m->counts.held : 0;
    if (m->counts.common && m->counts.equal * 2 < m->counts.common) {
        m->status = MATCH_REJECTED;
        m->reason = STR("most common calls differ");
    } else if (too_little(m, a)) {
        m->status = MATCH_UNVERIFIED;
    } else if (share < 0.9 || (m->counts.equal - m->counts.special_equal) * 10 <
                                  (m->counts.common - m->counts.special) * 9) {
        m->status = MATCH_MIXED;
        m->reason = STR("fewer than nine of ten calls are equal");
    } else if (!match_is_named(m) && m->counts.equal < m->counts.common) {
        m->status = MATCH_MIXED;
        m->reason = STR("no name proposes it, and not all calls are equal");
    } else {
        bool changes =
            !adapter_is_identity(m->adapter) || m->counts.dtype_only * 2 > m->counts.equal;
        m->status = changes ? MATCH_EQUAL_WITH_ADAPTER : MATCH_EQUAL;
    }
}
