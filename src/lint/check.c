/*
 * Running the checks of the rules over one file, and turning matches into findings.
 *
 * A check may match one place in several ways: the most confident match is kept. A match that is
 * not certain is dropped, unless the check asks for such matches at low confidence.
 */
#include "lint/check_p.h"

#include "lint/prefilter_p.h"
#include "lint/rule_p.h"

struct collect {
    struct checker *k;
    const struct rule *rule;
    const struct check *check;
};

static void add_related(const struct match *m, const struct check *check, struct finding *out,
                        struct arena *a)
{
    struct finding_related *list = arena_new_array(a, struct finding_related, check->n_related);
    for (size_t i = 0; i < check->n_related; i++) {
        uint32_t node = capture__node(m, check->related[i].at);
        if (!node)
            continue;
        struct span span = tree_span(&m->file->tree, node);
        list[out->n_related++] = (struct finding_related){
            source_place(&m->file->source, span.start), source_place(&m->file->source, span.end),
            check__expand(m, check, check->related[i].text, a), STR("")};
    }
    out->related = list;
}

/* The statement without white space: the same when lines move or are reformatted. */
static struct str context_of(const struct lint_file *f, uint32_t statement, struct arena *a)
{
    enum { CONTEXT_MAX = 200 };
    struct strbuf out = {0};
    struct str text = tree_text(&f->tree, statement);
    for (size_t i = 0; i < text.n && out.n < CONTEXT_MAX; i++)
        if (text.at[i] != ' ' && text.at[i] != '\n' && text.at[i] != '\t' && text.at[i] != '\r')
            strbuf_addc(&out, text.at[i]);
    struct str result = strbuf_dup(&out, a);
    strbuf_done(&out);
    return result;
}

/* The text a finding points at: the node's; of a loop, class or function the head line. */
static struct span span_of(const struct lint_file *f, uint32_t node)
{
    struct span span = tree_span(&f->tree, node);
    uint32_t body = tree_child(&f->tree, node, FIELD_BODY);
    enum py_kind kind = tree_kind(&f->tree, node);
    if (body && (kind == PY_FOR || kind == PY_WHILE || kind == PY_CLASS || kind == PY_FUNCTION)) {
        uint32_t name = tree_child(&f->tree, node, FIELD_NAME);
        if (name)
            return tree_span(&f->tree, name);
        span.end = tree_node(&f->tree, body)->start;
        while (span.end > span.start && f->source.text.at[span.end - 1] != ':')
            span.end--;
        if (span.end > span.start)
            span.end--;
    }
    return span;
}

void check__place_span(const struct lint_file *f, struct span span, struct finding *out,
                       struct arena *a)
{
    uint32_t last = span.end > span.start ? span.end - 1 : span.end;
    out->span = span;
    out->start = source_place(&f->source, span.start);
    out->end = source_place(&f->source, span.end);
    out->first_line = source_line_of(&f->source, span.start);
    out->last_line = source_line_of(&f->source, last);
    struct str line = source_line(&f->source, out->first_line);
    out->line_text = (struct str){str_dup(a, line), line.n};
    out->context = out->line_text;
}

void check__place(const struct lint_file *f, uint32_t node, struct finding *out, struct arena *a)
{
    uint32_t statement = node ? tree_statement(&f->tree, node) : 0;
    struct span span = node ? span_of(f, node) : (struct span){0, 0};
    struct span whole = statement ? tree_span(&f->tree, statement) : span;
    uint32_t body = statement ? tree_child(&f->tree, statement, FIELD_BODY) : 0;
    if (body && tree_node(&f->tree, body)->start > span.end)
        whole.end = tree_node(&f->tree, body)->start;
    check__place_span(f, span, out, a);
    out->last_line =
        source_line_of(&f->source, whole.end > whole.start ? whole.end - 1 : whole.end);
    out->context = context_of(f, statement ? statement : node, a);
}

static bool is_doubtful(const struct lint_file *f, uint32_t node)
{
    uint32_t statement = tree_statement(&f->tree, node);
    if (tree_node(&f->tree, node)->flags & PY_FLAG_IN_DAMAGE)
        return true;
    return statement && source_is_repaired(&f->source, tree_span(&f->tree, statement));
}

static enum confidence confidence_of(struct match *m, const struct check *check, uint32_t node)
{
    enum confidence c = m->confidence;
    if (m->n_unsure || is_doubtful(m->file, node))
        c = MIN(c, CONFIDENCE_LOW);
    for (size_t i = 0; i < check->low.n && c > CONFIDENCE_LOW; i++)
        if (match_all(m, (struct predicates){&check->low.at[i], 1}) != TRUTH_FALSE)
            c = CONFIDENCE_LOW;
    for (size_t i = 0; i < check->medium.n && c > CONFIDENCE_MEDIUM; i++)
        if (match_all(m, (struct predicates){&check->medium.at[i], 1}) != TRUTH_FALSE)
            c = CONFIDENCE_MEDIUM;
    return c;
}

/* Has the rule told of the function already? What is wrong in every call is not told again of one.
 */
static bool is_told(const struct checker *k, const struct rule *rule, uint32_t scope)
{
    for (size_t i = k->n_before; i < k->findings.n; i++) {
        const struct finding *f = &k->findings.at[i];
        struct span around = tree_span(&k->file->tree, k->file->names.scopes[scope].node);
        if (str_eq(f->code, rule->code) && f->confidence >= CONFIDENCE_MEDIUM &&
            f->span.start >= around.start && f->span.end <= around.end)
            return true;
    }
    return false;
}

static struct finding *find_same(struct checker *k, const struct rule *rule, struct span span)
{
    for (size_t i = k->n_before; i < k->findings.n; i++) {
        struct finding *f = &k->findings.at[i];
        if (f->span.start == span.start && f->span.end == span.end && str_eq(f->code, rule->code))
            return f;
    }
    return NULL;
}

/* The end of a match: records it, and says "go on" so that all matches are seen. */
static enum truth collect(struct match *m, void *ctx)
{
    struct collect *c = ctx;
    const struct check *check = c->check;
    struct checker *k = c->k;
    uint32_t node = capture__node(m, check->report);
    if (m->n_unsure && !check->unknown_is_low)
        return TRUTH_FALSE;
    for (size_t i = 0; i < check->unless.n; i++)
        if (match_all(m, (struct predicates){&check->unless.at[i], 1}) != TRUTH_FALSE)
            return TRUTH_FALSE;
    enum confidence confidence = confidence_of(m, check, node);
    const struct assumption *assumed = m->file->types.options.assumed;
    if (assumed) {
        if (!node || file__flow_scope(m->file, node) != assumed->scope ||
            types_is_dead(&m->file->types, node) || is_told(k, c->rule, assumed->scope))
            return TRUTH_FALSE;
        confidence = MIN(confidence, CONFIDENCE_MEDIUM);
    }
    if (confidence < k->min_confidence)
        return TRUTH_FALSE;
    struct finding f = {.code = c->rule->code,
                        .name = c->rule->name,
                        .severity = c->rule->severity,
                        .confidence = confidence,
                        .help = c->rule->fix};
    check__place(m->file, node, &f, k->arena);
    struct finding *same = find_same(k, c->rule, f.span);
    if (same && same->confidence >= confidence)
        return TRUTH_FALSE;
    f.message = check__expand(m, check, check->message, k->arena);
    add_related(m, check, &f, k->arena);
    check__fix(m, check, &f, k->arena);
    if (same)
        *same = f;
    else
        vec_push(&k->findings, k->arena, f);
    return TRUTH_FALSE;
}

static void run_checks(struct checker *k, const struct rule *rule, struct lint_file *file)
{
    for (size_t i = 0; i < rule->n_checks; i++) {
        struct match m = {.file = file,
                          .confidence = CONFIDENCE_HIGH,
                          .n_left = MATCH_BUDGET,
                          .check = &rule->checks[i],
                          .least = k->min_confidence};
        if (!prefilter__file_passes(file, m.check->prefilter))
            continue;
        struct collect c = {k, rule, &rule->checks[i]};
        struct rest r = {.list = rule->checks[i].find, .done = collect, .ctx = &c};
        for (size_t s = 0; s < CAPTURES_MAX; s++)
            m.captures[s].object = m.captures[s].other = OBJECT_NONE;
        match_rest(&m, &r);
    }
}

/* The file with flags of one of its functions assumed, for each way in which calls decide them. */
static void find_variants(struct checker *k)
{
    enum { WAYS_MAX = 4, VARIANTS_MAX = 16 };
    const uint64_t modes =
        UINT64_C(1) << ROLE_TRAIN | UINT64_C(1) << ROLE_EVAL | UINT64_C(1) << ROLE_MODE;
    struct lint_file *f = k->file;
    k->has_variants = true;
    k->variants = arena_new_array(f->arena, struct lint_file *, VARIANTS_MAX);
    for (uint32_t s = 0; s < f->names.n_scopes && k->n_variants < VARIANTS_MAX; s++) {
        struct assumption ways[WAYS_MAX];
        bool may_train = f->names.scopes[s].kind == SCOPE_FUNCTION &&
                         file__may_have(f, s, UINT64_C(1) << ROLE_FORWARD) &&
                         (file__may_have(f, s, modes) || file__may_have_regions(f, s));
        unsigned n = may_train ? types_assumptions(&f->types, s, ways, WAYS_MAX) : 0;
        for (unsigned i = 0; i < n && k->n_variants < VARIANTS_MAX; i++) {
            struct lint_file *v = arena_dup(f->arena, f, sizeof *f);
            struct types_options o = f->types.options;
            o.assumed = arena_dup(f->arena, &ways[i], sizeof ways[i]);
            types_build(&v->names, f->api, &o, f->arena, &v->types);
            memset(v->answers, 0, sizeof v->answers);
            k->variants[k->n_variants++] = v;
        }
    }
}

void check__run(struct checker *k, const struct rule *rule)
{
    k->n_before = k->findings.n;
    run_checks(k, rule, k->file);
    if (rule->is_per_call && !k->has_variants)
        find_variants(k);
    for (size_t i = 0; rule->is_per_call && i < k->n_variants; i++)
        run_checks(k, rule, k->variants[i]);
}
