/*
 * From calls to contexts: how each function of the project is called from other files. A call that
 * passes the caller's own parameters on is seen once for each way in which the caller is called.
 *
 * Ways with equal facts are one. A function keeps CONTEXTS_MAX of them; one more makes all that it
 * was told unknown: then nothing is known of what it is given. Rounds end because ways are only
 * added, and their number is bounded.
 */
#include "python/summary_set_p.h"

enum { ROUNDS_MAX = 8 };

static const struct given_fact nothing_given = {
    .api_path = PATH_NONE, .class_path = PATH_NONE, .parameter = -1};

static bool is_equal(const struct call_context *a, const struct call_context *b)
{
    if (a->in_no_grad != b->in_no_grad || a->in_loop != b->in_loop || a->may_clear != b->may_clear)
        return false;
    for (unsigned i = 0; i < GIVEN_MAX; i++) {
        const struct given_fact *x = &a->given[i], *y = &b->given[i];
        if (x->type != y->type || x->confidence != y->confidence || x->api_path != y->api_path ||
            x->class_path != y->class_path || x->domain != y->domain || x->mode != y->mode ||
            x->role != y->role || x->holds != y->holds || x->made.gives != y->made.gives ||
            x->made.members != y->made.members)
            return false;
    }
    return true;
}

/* Adds a way; false when it is there already, or when there are too many. */
static bool add_context(struct summary_set *set, uint32_t path, const struct call_context *c)
{
    const uint32_t *first = node_table__get(&set->by_context, path);
    unsigned n = 0;
    for (uint32_t at = first ? *first : UINT32_MAX; at != UINT32_MAX;
         at = set->contexts.at[at].next, n++)
        if (is_equal(&set->contexts.at[at], c))
            return false;
    if (n >= CONTEXTS_MAX) {
        node_table__put(&set->overfull, &set->arena, path, 1);
        return false;
    }
    struct call_context kept = *c;
    kept.next = first ? *first : UINT32_MAX;
    vec_push(&set->contexts, &set->arena, kept);
    node_table__put(&set->by_context, &set->arena, path, (uint32_t)set->contexts.n - 1);
    return true;
}

/* The parameter that an argument becomes; -1. */
static int place_of(const struct function_summary *f, const struct summary_site *s, unsigned at)
{
    if (s->words[at] == WORD_NONE)
        return at + s->is_bound < f->n_parameters ? (int)(at + s->is_bound) : -1;
    for (unsigned i = 0; i < f->n_parameters; i++)
        if (f->parameters[i] == s->words[at])
            return (int)i;
    return -1;
}

/* What an argument is, with what the caller was itself given put in. */
static struct given_fact resolve(const struct given_fact *g, const struct call_context *caller)
{
    struct given_fact out = *g;
    out.parameter = -1;
    if (g->parameter >= 0 && g->parameter < GIVEN_MAX && caller) {
        const struct given_fact *in = &caller->given[g->parameter];
        if (in->type != TYPE_UNKNOWN &&
            (out.confidence < CONFIDENCE_MEDIUM || out.type == in->type)) {
            out.type = in->type;
            out.confidence = in->confidence;
            out.api_path = in->api_path;
            out.class_path = in->class_path;
            out.made = in->made;
        }
        if (out.mode == MODE_ENTRY || out.mode == MODE_UNKNOWN)
            out.mode = out.mode == MODE_ENTRY ? in->mode : MODE_UNKNOWN;
        if (out.domain == DOMAIN_ANY)
            out.domain = in->domain;
        if (out.role == LOADER_UNKNOWN)
            out.role = in->role;
    }
    if (out.mode == MODE_ENTRY)
        out.mode = MODE_UNKNOWN;
    return out;
}

/* Bits of arguments as bits of parameters; with what the caller's own caller knows of them. */
static uint16_t holds_of(const struct function_summary *f, const struct summary_site *s,
                         unsigned at, const struct call_context *caller)
{
    uint16_t bits = 0, given = s->given[at].holds;
    for (unsigned j = 0; j < s->n_given; j++) {
        int to = place_of(f, s, j);
        int own = s->given[at].parameter, other = s->given[j].parameter;
        bool is_held = given >> j & 1;
        if (caller && own >= 0 && other >= 0 && own < GIVEN_MAX && other < GIVEN_MAX)
            is_held |= caller->given[own].holds >> other & 1;
        if (to >= 0 && to < GIVEN_MAX && is_held)
            bits |= (uint16_t)(1u << to);
    }
    return bits;
}

static bool apply_site(struct summary_set *set, const struct summary_site *s, uint32_t module,
                       const struct call_context *caller)
{
    const struct function_summary *f = summary_set__callee(set, s);
    struct call_context c = {.module = module,
                             .line = s->line,
                             .in_no_grad = s->in_no_grad || (caller && caller->in_no_grad),
                             .in_loop = s->in_loop || (caller && caller->in_loop),
                             .may_clear = s->may_clear || (caller && caller->may_clear),
                             .next = UINT32_MAX};
    for (unsigned i = 0; i < GIVEN_MAX; i++)
        c.given[i] = nothing_given;
    if (!f || f->is_generator)
        return false;
    for (unsigned i = 0; i < s->n_given; i++) {
        int at = place_of(f, s, i);
        if (at < 0 || at >= GIVEN_MAX)
            continue;
        c.given[at] = resolve(&s->given[i], caller);
        c.given[at].holds = holds_of(f, s, i, caller);
    }
    return add_context(set, f->path, &c);
}

/* Does a call pass on what its caller is given by calls that are seen? */
static bool is_passing_on(const struct summary_site *s, const struct node_table *called)
{
    if (s->caller == PATH_NONE || !node_table__get(called, s->caller))
        return false;
    for (unsigned i = 0; i < s->n_given; i++)
        if (s->given[i].parameter >= 0)
            return true;
    return false;
}

static bool apply_all(struct summary_set *set, const struct node_table *called, bool is_first)
{
    bool changed = false;
    for (size_t i = 0; i < set->sites.n; i++) {
        const struct placed_site p = set->sites.at[i];
        if (!is_passing_on(p.site, called)) {
            changed |= is_first && apply_site(set, p.site, p.module, NULL);
            continue;
        }
        for (const struct call_context *c = summary_set_contexts(set, p.site->caller); c;
             c = summary_set_context(set, c->next))
            changed |= apply_site(set, p.site, p.module, c);
    }
    return changed;
}

const struct call_context *summary_set_context(const struct summary_set *set, uint32_t at)
{
    return at == UINT32_MAX ? NULL : &set->contexts.at[at];
}

const struct call_context *summary_set_contexts(const struct summary_set *set, uint32_t path)
{
    const uint32_t *first = path == PATH_NONE || node_table__get(&set->overfull, path)
                                ? NULL
                                : node_table__get(&set->by_context, path);
    return first ? &set->contexts.at[*first] : NULL;
}

static bool is_below(const struct summary_set *set, uint32_t path, uint32_t module)
{
    return set->paths && paths_is_below(set->paths, path, module);
}

/* Does a way of calling say of a parameter what the function does something telling with? */
static bool tells(const struct function_summary *f, const struct call_context *c)
{
    static const uint64_t telling =
        UINT64_C(1) << ROLE_FORWARD | UINT64_C(1) << ROLE_STEP | UINT64_C(1) << ROLE_ZERO |
        UINT64_C(1) << ROLE_COMPARE | UINT64_C(1) << ROLE_BACKWARD |
        UINT64_C(1) << ROLE_SCHEDULER_STEP | UINT64_C(1) << ROLE_CLIP | UINT64_C(1) << ROLE_KEEP;
    static const uint32_t types =
        1u << TYPE_MODULE | 1u << TYPE_OPTIMIZER | 1u << TYPE_CRITERION | 1u << TYPE_SCHEDULER;
    for (unsigned i = 0; i < GIVEN_MAX; i++) {
        enum domain d = c->given[i].domain;
        if (d != DOMAIN_ANY && d != DOMAIN_LOGITS && d != DOMAIN_OTHER)
            return true;
    }
    for (uint32_t i = 0; i < f->n_effects; i++) {
        const struct summary_effect *e = &f->effects[i];
        if (e->parameter >= GIVEN_MAX || !(e->may & telling))
            continue;
        const struct given_fact *g = &c->given[e->parameter];
        if (types >> g->type & 1 && g->confidence >= CONFIDENCE_MEDIUM)
            return true;
    }
    return false;
}

bool summary_set_has_contexts(const struct summary_set *set, uint32_t module)
{
    return node_table__get(&set->told, module) != NULL;
}

/* Modules of the functions that are told something telling, and all that lies around them. */
static void mark_told(struct summary_set *set)
{
    for (size_t i = 0; i < set->functions.n; i++) {
        const struct function_summary *f = &set->functions.at[i];
        bool is_told = false;
        for (const struct call_context *c = summary_set_contexts(set, f->path); c && !is_told;
             c = summary_set_context(set, c->next))
            is_told = tells(f, c);
        for (uint32_t p = is_told ? f->path : (uint32_t)PATH_NONE;
             p != PATH_NONE && !node_table__get(&set->told, p); p = paths_parent(set->paths, p))
            node_table__put(&set->told, &set->arena, p, 1);
    }
}

void summary_set_find_contexts(struct summary_set *set)
{
    struct arena work;
    struct node_table called = {0};
    arena_init(&work);
    for (size_t i = 0; i < set->sites.n; i++) {
        const struct function_summary *f = summary_set__callee(set, set->sites.at[i].site);
        if (f)
            node_table__put(&called, &work, f->path, 1);
    }
    bool changed = apply_all(set, &called, true);
    for (unsigned round = 1; changed && round < ROUNDS_MAX; round++)
        changed = apply_all(set, &called, false);
    arena_done(&work);
    if (set->paths)
        mark_told(set);
}

static void hash_path(const struct summary_set *set, uint32_t path, struct hasher *h)
{
    struct strbuf text = {0};
    paths_text(set->paths, path, &text);
    hasher_add_str(h, strbuf_str(&text));
    strbuf_done(&text);
}

void summary_set_hash_contexts(const struct summary_set *set, uint32_t module, struct hasher *h)
{
    for (size_t i = 0; i < set->functions.n; i++) {
        const struct function_summary *f = &set->functions.at[i];
        if (!is_below(set, f->path, module))
            continue;
        for (const struct call_context *c = summary_set_contexts(set, f->path); c;
             c = summary_set_context(set, c->next)) {
            hash_path(set, f->path, h);
            hasher_add_u64(h, (uint64_t)c->in_no_grad | (uint64_t)c->in_loop << 1 |
                                  (uint64_t)c->may_clear << 2);
            for (unsigned g = 0; g < GIVEN_MAX; g++) {
                const struct given_fact *x = &c->given[g];
                hasher_add_u64(h, (uint64_t)x->type | (uint64_t)x->confidence << 8 |
                                      (uint64_t)x->domain << 16 | (uint64_t)x->mode << 24 |
                                      (uint64_t)x->role << 32 | (uint64_t)x->holds << 40);
                hasher_add_u64(h, (uint64_t)x->made.gives | (uint64_t)x->made.members << 8);
                hash_path(set, x->api_path, h);
                hash_path(set, x->class_path, h);
            }
        }
    }
}

/* ---- as text ---- */

static void dump_given(const struct summary_set *set, const struct given_fact *g, struct str name,
                       struct strbuf *out)
{
    static const char *const modes[] = {"", " train", " eval", " default", " mixed", " entry"};
    static const char *const roles[] = {"", " training data", " evaluation data"};
    if (g->type == TYPE_UNKNOWN && !g->mode && !g->role && !g->holds)
        return;
    strbuf_printf(out, "    " STR_FMT ": %s", STR_ARG(name), type_name(g->type));
    if (g->class_path != PATH_NONE || g->api_path != PATH_NONE) {
        strbuf_addc(out, ' ');
        paths_text(set->paths, g->class_path != PATH_NONE ? g->class_path : g->api_path, out);
    }
    strbuf_printf(out, " (%s)%s%s", confidence_name(g->confidence), modes[g->mode], roles[g->role]);
    if (g->domain != DOMAIN_ANY)
        strbuf_printf(out, " %s", domain_name(g->domain));
    if (g->holds)
        strbuf_printf(out, " holds %x", g->holds);
    strbuf_addc(out, '\n');
}

void summary_set_dump_contexts(const struct summary_set *set, const struct py_parser *words,
                               struct strbuf *out)
{
    for (size_t i = 0; i < set->functions.n; i++) {
        const struct function_summary *f = &set->functions.at[i];
        const struct call_context *c = summary_set_contexts(set, f->path);
        if (!c)
            continue;
        paths_text(set->paths, f->path, out);
        strbuf_addc(out, '\n');
        for (; c; c = summary_set_context(set, c->next)) {
            strbuf_adds(out, "  called by ");
            paths_text(set->paths, c->module, out);
            strbuf_printf(out, ":%u%s%s%s\n", c->line, c->in_no_grad ? " without gradients" : "",
                          c->in_loop ? " in a loop" : "", c->may_clear ? " clearing" : "");
            for (unsigned p = 0; p < f->n_parameters && p < GIVEN_MAX; p++)
                dump_given(set, &c->given[p], py_parser_text(words, f->parameters[p]), out);
        }
    }
}
