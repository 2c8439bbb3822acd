/*
 * Bucket keys (campaign.md 2). A key is text: fields joined by '|', so that people can read why two
 * failures are one bug. Pure: the same evidence and verdicts give the same keys.
 *
 * Verdicts are grouped by engine family and class of failure; the group's key names the first mode
 * in which it fails, because a fault of one optimisation shows in every level above it.
 */
#include "judge/bucket.h"

#include <math.h>

#include "base/map.h"
#include "case/subject.h"
#include "judge/bucket_p.h"
#include "judge/judge_p.h"
#include "judge/normalise.h"

static const char *const class_names[] = {
    [BUG_NATIVE_CRASH] = "native-crash",
    [BUG_WRONG_EXCEPTION] = "wrong-exception",
    [BUG_WRONG_RESULT] = "wrong-result",
    [BUG_RESOURCE] = "resource",
};

const char *bug_class_name(enum bug_class c)
{
    return c < COUNT_OF(class_names) ? class_names[c] : "unknown";
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '/' || c == ':';
}

/* A token counts as a name of the graph when it is quoted or in brackets, or cannot be a word of a
 * sentence. */
static bool is_named(struct str text, size_t at, struct str token)
{
    char before = at > 0 ? text.at[at - 1] : ' ';
    char after = at + token.n < text.n ? text.at[at + token.n] : ' ';
    bool quoted =
        (before == '\'' || before == '"' || before == '`' || before == '(' || before == '[') &&
        (after == '\'' || after == '"' || after == '`' || after == ')' || after == ']');
    bool odd = false;
    for (size_t i = 0; i < token.n; i++)
        odd = odd || token.at[i] == '_' || (token.at[i] >= '0' && token.at[i] <= '9');
    return quoted || (odd && token.n >= 4);
}

static void add_names(const struct graph *g, struct map *names, struct arena *a)
{
    for (size_t i = 0; i < g->values.n; i++)
        map_put(names, a, g->values.at[i].name, 1);
    for (size_t i = 0; i < g->nodes.n; i++)
        if (g->nodes.at[i].name.n > 0)
            map_put(names, a, g->nodes.at[i].name, 1);
    for (size_t i = 0; i < g->nodes.n; i++) {
        uint64_t *kept = map_get(names, g->nodes.at[i].op_type);
        if (kept)
            *kept = 0; /* also an operator's name: stays in the message */
    }
}

struct str bucket__template(const struct evidence *ev, struct str raw, int version, struct arena *a)
{
    struct map names = {0};
    struct strbuf out = {0};
    if (case_model(ev->c))
        add_names(case_model(ev->c)->graph, &names, a);
    for (size_t at = 0; at < raw.n;) {
        size_t n = 0;
        while (at + n < raw.n && is_name_byte(raw.at[at + n]))
            n++;
        struct str token = str_sub(raw, at, at + n);
        uint64_t *hit = n > 0 ? map_get(&names, token) : NULL;
        if (hit && *hit && is_named(raw, at, token))
            strbuf_adds(&out, "<name>");
        else
            strbuf_add(&out, raw.at + at, n > 0 ? n : 1);
        at += n > 0 ? n : 1;
    }
    struct str result = normalise_message(strbuf_str(&out), version, a);
    char *at = str_dup(a, result);
    for (size_t i = 0; i < result.n; i++)
        if (at[i] == '|' || at[i] == '@') /* separators of a key's fields */
            at[i] = '!';
    strbuf_done(&out);
    return (struct str){at, result.n};
}

static const struct observation *observation_of(const struct evidence *ev, const struct verdict *v)
{
    const struct observation *any = NULL;
    for (size_t i = 0; i < ev->n_observations; i++) {
        const struct observation *x = &ev->observations[i];
        if (x->input_set != v->input_set || !target_id_eq(&x->target, &v->target))
            continue;
        if (!any || (outcome_is_failure(x->outcome) && !outcome_is_failure(any->outcome)))
            any = x;
    }
    return any;
}

enum bug_class bug_class_of(const struct evidence *ev, const struct verdict *v)
{
    if (v->wrong != WRONG_OUTCOME)
        return v->wrong == WRONG_SLOW ? BUG_RESOURCE : BUG_WRONG_RESULT;
    const struct observation *x = observation_of(ev, v);
    switch (x ? x->outcome : OUTCOME_EXCEPTION) {
    case OUTCOME_SIGNAL:
    case OUTCOME_SANITIZER:
    case OUTCOME_ABORT:
    case OUTCOME_STACK_OVERFLOW:
    case OUTCOME_EARLY_EXIT:
        return BUG_NATIVE_CRASH;
    case OUTCOME_TIMEOUT_CPU:
    case OUTCOME_TIMEOUT_BLOCKED:
    case OUTCOME_OOM_LIMIT:
    case OUTCOME_OOM_ALLOCATOR:
    case OUTCOME_OOM_KERNEL:
    case OUTCOME_OUTPUT_FLOOD:
        return BUG_RESOURCE;
    default:
        return BUG_WRONG_EXCEPTION;
    }
}

static bool is_failing(const struct verdict *v, enum decision d)
{
    return v->decision == d && v->wrong != WRONG_NOTHING;
}

/* Does v represent the group better than other? Localised ones come first, then those of the
 * reference oracle, then the larger excess over the threshold. */
static bool speaks_better(const struct verdict *v, const struct verdict *other)
{
    if ((v->place.node.n > 0) != (other->place.node.n > 0))
        return v->place.node.n > 0;
    bool a = str_is(str_of(v->oracle), "reference"), b = str_is(str_of(other->oracle), "reference");
    if (a != b)
        return a;
    return v->target.mode_rank < other->target.mode_rank;
}

static void fold(struct group *g, const struct verdict *v)
{
    if (!g->verdict || speaks_better(v, g->verdict))
        g->verdict = v;
    if (g->mode.n == 0 || v->target.mode_rank < g->mode_rank) {
        g->mode = v->target.mode;
        g->mode_rank = v->target.mode_rank;
    }
}

/* Did a mode of the family run the same inputs and pass every oracle? */
static bool some_mode_passes(const struct group *g, const struct verdicts *all)
{
    for (size_t i = 0; i < g->ev->n_observations; i++) {
        const struct observation *x = &g->ev->observations[i];
        if (!str_eq(x->target.family, g->family) || judge__is_unsupported(g->ev, x))
            continue;
        bool fails = false;
        for (size_t k = 0; k < all->n; k++)
            fails = fails || (all->at[k].wrong != WRONG_NOTHING &&
                              str_eq(all->at[k].target.family, g->family) &&
                              str_eq(all->at[k].target.mode, x->target.mode));
        if (!fails)
            return true;
    }
    return false;
}

/* The size of a relative error in three steps, because finer ones would change with the values. */
static const char *decade(const struct verdict *v)
{
    if (v->wrong != WRONG_VALUE)
        return "";
    return v->measure < 1e-2 ? " small" : v->measure < 1e1 ? " large" : " huge";
}

static void field(struct strbuf *b, struct str s)
{
    if (b->n > 0)
        strbuf_addc(b, '|');
    strbuf_addstr(b, s);
}

/* Adds the fields with which all keys of the group begin. */
static void add_head(const struct group *g, struct strbuf *b)
{
    field(b, str_of(bug_class_name(g->class)));
    field(b, g->family);
}

/* Does a difference between frameworks stand for the function as a whole? One cause is met with
 * many dtypes and values there, and no case is small enough to tell. */
static bool is_of_function(const struct group *g)
{
    return str_is(str_of(g->verdict->oracle), "pairs");
}

static void keys_of_wrong(const struct group *g, struct arena *a, struct key *k)
{
    struct strbuf strict = {0}, soft = {0}, guard = {0};
    const struct verdict *v = g->verdict;
    add_head(g, &guard);
    field(&guard, str_of(v->oracle));
    field(&guard, str_of(wrong_kind_name(v->wrong)));
    field(&guard, g->mode);
    add_head(g, &strict);
    field(&strict, str_of(v->oracle));
    field(&strict, (struct str){0});
    culprit__add(g, false, &strict);
    field(&strict, str_of(is_of_function(g) ? "" : culprit__dtype(g)));
    field(&strict, g->mode);
    field(&strict, str_of(wrong_kind_name(v->wrong)));
    strbuf_adds(&strict, is_of_function(g) ? "" : decade(v));
    add_head(g, &soft);
    field(&soft, v->place.op_type);
    field(&soft, str_of(wrong_kind_name(v->wrong)));
    k->strict = strbuf_dup(&strict, a);
    k->soft = strbuf_dup(&soft, a);
    k->guard = strbuf_dup(&guard, a);
    k->provisional = v->place.node.n == 0;
    strbuf_done(&strict);
    strbuf_done(&soft);
    strbuf_done(&guard);
}

/* Keys of refusals and crashes: type, message, frames, level, operators round the place. */
static void keys_of_outcome(const struct group *g, struct str type, struct str template,
                            struct str frames, struct arena *a, struct key *k)
{
    struct strbuf strict = {0};
    add_head(g, &strict);
    field(&strict, type);
    field(&strict, template);
    field(&strict, frames);
    k->guard = str_of(arena_printf(a, STR_FMT "%s" STR_FMT, STR_ARG(strbuf_str(&strict)),
                                   k->detail.n ? "@" : "", STR_ARG(k->detail)));
    field(&strict, g->mode);
    field(&strict, (struct str){0});
    culprit__add_around(g, &strict);
    field(&strict, (struct str){0});
    culprit__add(g, true, &strict);
    if (k->detail.n)
        strbuf_addc(&strict, '@');
    strbuf_addstr(&strict, k->detail);
    k->strict = strbuf_dup(&strict, a);
    strbuf_done(&strict);
}

static void keys_of_exception(const struct group *g, struct arena *a, struct key *k)
{
    enum { NORMALISE_OF_RULES_5 = 1 };
    struct strbuf soft = {0};
    const struct observation *x = g->seen;
    const struct str raw = x ? x->message.raw : g->verdict->claim;
    const struct str type = x ? x->message.type : (struct str){0};
    const struct str frames = x ? normalise_frames(x->message.stack, 1, false, a) : (struct str){0};
    const struct str template = bucket__template(g->ev, raw, NORMALISE_VERSION, a);
    struct key old = {0};
    keys_of_outcome(g, type, bucket__template(g->ev, raw, NORMALISE_OF_RULES_5, a), frames, a,
                    &old);
    k->of_rules_5 = old.strict;
    keys_of_outcome(g, type, template, frames, a, k);
    add_head(g, &soft);
    field(&soft, template);
    k->soft = strbuf_dup(&soft, a);
    strbuf_done(&soft);
}

static void keys_of_crash(const struct group *g, struct arena *a, struct key *k)
{
    struct strbuf soft = {0};
    const struct observation *x = g->seen;
    struct str type = {0}, template = {0}, frames = {0};
    add_head(g, &soft);
    if (x) {
        type = str_of(arena_printf(a, "%s %d", outcome_name(x->outcome), x->signal));
        frames = normalise_frames(x->message.stack, 3, false, a);
        k->detail = normalise_offset(x->message.stack, a);
        template = g->called;
        if (!template.n && (x->outcome == OUTCOME_ABORT || x->message.stack.n == 0))
            template =
                str_sub(bucket__template(g->ev, x->message.raw, NORMALISE_VERSION, a), 0, 200);
        field(&soft, normalise_frames(x->message.stack, 2, true, a));
    }
    keys_of_outcome(g, type, template, frames, a, k);
    if (g->called.n) { /* of the calls on a line only the smallest program says which one died */
        struct strbuf guard = {0};
        add_head(g, &guard);
        field(&guard, type);
        k->guard = strbuf_dup(&guard, a);
        strbuf_done(&guard);
    }
    k->soft = strbuf_dup(&soft, a);
    strbuf_done(&soft);
}

static void keys_of_resource(const struct group *g, struct arena *a, struct key *k)
{
    struct strbuf strict = {0}, soft = {0};
    add_head(g, &strict);
    if (g->seen)
        field(&strict, str_of(outcome_name(g->seen->outcome)));
    field(&strict, g->mode);
    k->guard = strbuf_dup(&strict, a);
    if (g->seen)
        field(&strict, normalise_frames(g->seen->message.stack, 3, false, a));
    field(&strict, (struct str){0});
    culprit__add(g, true, &strict);
    add_head(g, &soft);
    field(&soft, g->verdict->place.op_type);
    k->strict = strbuf_dup(&strict, a);
    k->soft = strbuf_dup(&soft, a);
    strbuf_done(&strict);
    strbuf_done(&soft);
}

/* The part that is the same in all releases: class|family||culprit operators|dtype|kind|message. */
static struct str portable_of(const struct group *g, struct arena *a)
{
    struct strbuf b = {0}, kind = {0};
    add_head(g, &b);
    field(&b, (struct str){0});
    culprit__add_operators(g, &b);
    field(&b, str_of(is_of_function(g) ? "" : culprit__dtype(g)));
    if (g->class == BUG_WRONG_RESULT)
        strbuf_adds(&kind, wrong_kind_name(g->verdict->wrong));
    else if (g->class == BUG_WRONG_EXCEPTION && g->seen)
        strbuf_addstr(&kind, g->seen->message.type);
    else if (g->seen)
        strbuf_printf(&kind, "%s %d", outcome_name(g->seen->outcome), g->seen->signal);
    field(&b, strbuf_str(&kind));
    if (g->class == BUG_WRONG_EXCEPTION)
        field(&b, bucket__template(g->ev, g->seen ? g->seen->message.raw : g->verdict->claim,
                                   NORMALISE_VERSION, a));
    struct str result = strbuf_dup(&b, a);
    strbuf_done(&b);
    strbuf_done(&kind);
    return result;
}

static struct str title_of(const struct group *g, struct str op_type, struct arena *a)
{
    const char *dtype = culprit__dtype(g);
    const char *what = g->class == BUG_WRONG_RESULT ? wrong_kind_name(g->verdict->wrong) : NULL;
    struct strbuf b = {0};
    if (op_type.n > 0)
        strbuf_printf(&b, STR_FMT ": ", STR_ARG(op_type));
    if (what && g->verdict->wrong == WRONG_BITS)
        strbuf_adds(&b, g->verdict->beyond_rounding ? "wrong when run again"
                                                    : "other bits when run again");
    else if (what)
        strbuf_printf(&b, "wrong %s", what);
    else if (g->seen && g->seen->signal)
        strbuf_printf(&b, "crash by signal %d", g->seen->signal);
    else if (g->seen)
        strbuf_adds(&b, outcome_name(g->seen->outcome));
    if (*dtype)
        strbuf_printf(&b, " (%s)", dtype);
    struct str title = strbuf_dup(&b, a);
    strbuf_done(&b);
    return title;
}

static void make_key(const struct group *g, enum decision d, struct arena *a, struct key *k)
{
    static void (*const makers[])(const struct group *, struct arena *, struct key *) = {
        [BUG_NATIVE_CRASH] = keys_of_crash,
        [BUG_WRONG_EXCEPTION] = keys_of_exception,
        [BUG_WRONG_RESULT] = keys_of_wrong,
        [BUG_RESOURCE] = keys_of_resource,
    };
    makers[g->class](g, a, k);
    k->portable = portable_of(g, a);
    k->class = g->class;
    k->severity = bucket__severity(g);
    k->taxonomy = bucket__taxonomy(g);
    k->decision = d;
    k->mode = g->mode;
    k->dtype = culprit__dtype(g);
    culprit__name(g, &k->node, &k->op_type);
    k->title = title_of(g, k->op_type, a);
    k->verdict = g->verdict;
}

/* Is the verdict the first of its group? For later ones the key exists already. */
static bool is_first(const struct evidence *ev, const struct verdicts *v, size_t at,
                     enum decision d)
{
    for (size_t i = 0; i < at; i++)
        if (is_failing(&v->at[i], d) &&
            bug_class_of(ev, &v->at[i]) == bug_class_of(ev, &v->at[at]) &&
            str_eq(v->at[i].target.family, v->at[at].target.family))
            return false;
    return true;
}

static struct group group_of(const struct evidence *ev, const struct verdicts *v, size_t at,
                             enum decision d, struct arena *a)
{
    struct group g = {
        .ev = ev, .family = v->at[at].target.family, .class = bug_class_of(ev, &v->at[at])};
    for (size_t i = at; i < v->n; i++)
        if (is_failing(&v->at[i], d) && bug_class_of(ev, &v->at[i]) == g.class &&
            str_eq(v->at[i].target.family, g.family))
            fold(&g, &v->at[i]);
    g.seen = observation_of(ev, g.verdict);
    g.top = case_model(ev->c) ? case_model(ev->c)->graph : NULL;
    g.culprit = culprit__find(&g);
    if (g.class == BUG_NATIVE_CRASH)
        g.called = culprit__called(&g, a);
    g.all_modes = !some_mode_passes(&g, v);
    return g;
}

static void collect(const struct evidence *ev, const struct verdicts *v,
                    const enum decision *decisions, size_t n_decisions, struct arena *a,
                    struct keys *out)
{
    VEC(struct key) keys = {0};
    for (size_t d = 0; d < n_decisions; d++) {
        for (size_t i = 0; i < v->n; i++) {
            if (!is_failing(&v->at[i], decisions[d]) || !is_first(ev, v, i, decisions[d]))
                continue;
            struct group g = group_of(ev, v, i, decisions[d], a);
            struct key k = {0};
            make_key(&g, decisions[d], a, &k);
            vec_push(&keys, a, k);
        }
    }
    *out = (struct keys){keys.at, keys.n};
}

static const enum decision with_keys[] = {DECISION_FAIL, DECISION_SECOND_OPINION,
                                          DECISION_REFERENCE_SUSPECT};

void bucket_keys(const struct evidence *ev, const struct verdicts *v, struct arena *a,
                 struct keys *out)
{
    collect(ev, v, with_keys, COUNT_OF(with_keys) - 1, a, out);
}

void bucket_keys_in_doubt(const struct evidence *ev, const struct verdicts *v, struct arena *a,
                          struct keys *out)
{
    collect(ev, v, with_keys, COUNT_OF(with_keys), a, out);
}
