/*
 * Makes contexts from calls: how each function of the project is called from other files. A call
 * that passes on the caller's own parameters counts once for each context of the caller.
 *
 * Contexts with equal facts are one. A function keeps at most CONTEXTS_MAX; with one more, nothing
 * is known about its arguments. Rounds end because contexts are only added, and their number is
 * bounded.
 */
#include "python/summary_set_p.h"

enum { ROUNDS_MAX = 8 };

static const struct given_fact nothing_given = {
    .api_path = PATH_NONE, .class_path = PATH_NONE, .parameter = -1, .key = WORD_NONE};

static bool is_equal_fact(const struct given_fact *x, const struct given_fact *y)
{
    return x->type == y->type && x->confidence == y->confidence && x->api_path == y->api_path &&
           x->class_path == y->class_path && x->domain == y->domain && x->mode == y->mode &&
           x->role == y->role && x->holds == y->holds && x->made.gives == y->made.gives &&
           x->made.members == y->made.members && constant_equal(x->constant, y->constant);
}

static bool is_equal(const struct call_context *a, const struct call_context *b)
{
    bool is_same = a->in_no_grad == b->in_no_grad && a->in_loop == b->in_loop &&
                   a->may_clear == b->may_clear && a->n_parts == b->n_parts;
    for (unsigned i = 0; is_same && i < a->n_parts; i++)
        is_same = a->parts[i].at == b->parts[i].at && a->parts[i].key == b->parts[i].key;
    for (unsigned i = 0; is_same && i < SLOTS_MAX; i++)
        is_same = is_equal_fact(&a->given[i], &b->given[i]);
    return is_same;
}

const struct given_fact *call_context_given(const struct call_context *c, int at, uint32_t key)
{
    if (at < 0 || at >= GIVEN_MAX)
        return &nothing_given;
    for (unsigned i = 0; key != WORD_NONE && i < c->n_parts; i++)
        if (c->parts[i].at == at && c->parts[i].key == key)
            return &c->given[GIVEN_MAX + i];
    return key == WORD_NONE ? &c->given[at] : &nothing_given;
}

/* Adds a context; false when it is there already, or when there are too many. */
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

/* The parameter that an argument becomes; -1: none. */
static int place_of(const struct function_summary *f, const struct summary_site *s, unsigned at)
{
    if (at == GIVEN_RECEIVER)
        return s->is_bound ? 0 : -1;
    if (at >= s->n_given)
        return -1;
    if (s->words[at] == WORD_NONE)
        return at + s->is_bound < f->n_parameters ? (int)(at + s->is_bound) : -1;
    for (unsigned i = 0; i < f->n_parameters; i++)
        if (f->parameters[i] == s->words[at])
            return (int)i;
    return -1;
}

/* The fact of a slot, completed by what the caller itself is given. */
static struct given_fact resolve(const struct given_fact *g, const struct call_context *caller)
{
    struct given_fact out = *g;
    out.parameter = -1;
    out.key = WORD_NONE;
    if (g->parameter >= 0 && caller) {
        const struct given_fact *in = call_context_given(caller, g->parameter, g->key);
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
        if (out.constant.kind == CONSTANT_UNKNOWN)
            out.constant = in->constant;
    }
    if (out.mode == MODE_ENTRY)
        out.mode = MODE_UNKNOWN;
    return out;
}

/* Maps slots of a call to slots of a context; filled while both are walked. */
struct slot_map {
    int8_t to[SLOTS_MAX]; /* -1: nowhere */
};

/* The slot of the caller's context that a slot of the call comes from; -1: none. */
static int slot_in_caller(const struct given_fact *g, const struct call_context *caller)
{
    const struct given_fact *in =
        caller && g->parameter >= 0 ? call_context_given(caller, g->parameter, g->key) : NULL;
    return in && in != &nothing_given ? (int)(in - caller->given) : -1;
}

/* Maps bits of the call's slots to bits of the context's slots, and adds what the caller's context
 * knows of them. */
static uint32_t holds_of(const struct summary_site *s, unsigned slot, const struct slot_map *map,
                         const struct call_context *caller)
{
    uint32_t bits = 0;
    int own = slot_in_caller(&s->given[slot], caller);
    for (unsigned j = 0; j < SLOTS_MAX; j++) {
        if (map->to[j] < 0)
            continue;
        int other = slot_in_caller(&s->given[j], caller);
        bool is_held = s->given[slot].holds >> j & 1;
        if (own >= 0 && other >= 0)
            is_held |= caller->given[own].holds >> other & 1;
        if (is_held)
            bits |= 1u << map->to[j];
    }
    return bits;
}

static int add_part(struct call_context *c, int at, uint32_t key, struct given_fact g)
{
    if (c->n_parts == GIVEN_PARTS_MAX)
        return -1;
    c->given[GIVEN_MAX + c->n_parts] = g;
    c->parts[c->n_parts] = (struct given_part){(uint8_t)at, key};
    return GIVEN_MAX + c->n_parts++;
}

/* A parameter that is passed on unchanged keeps the parts known in it. */
static void pass_parts_on(struct call_context *c, int at, const struct given_fact *g,
                          const struct call_context *caller)
{
    for (unsigned i = 0; caller && g->parameter >= 0 && i < caller->n_parts; i++) {
        struct given_fact part = caller->given[GIVEN_MAX + i];
        part.holds = 0; /* bits of the caller's slots */
        if (g->key == WORD_NONE && caller->parts[i].at == g->parameter)
            (void)add_part(c, at, caller->parts[i].key, part);
    }
}

static void fill_slots(struct call_context *c, const struct function_summary *f,
                       const struct summary_site *s, const struct call_context *caller)
{
    struct slot_map map;
    memset(map.to, -1, sizeof map.to);
    for (unsigned i = 0; i < SLOTS_MAX; i++)
        c->given[i] = nothing_given;
    for (unsigned i = 0; i < f->n_flags; i++)
        c->given[f->flags[i].parameter].constant = f->flags[i].absent;
    for (unsigned i = 0; i < s->n_given; i++) {
        int at = place_of(f, s, i);
        if (at < 0 || at >= GIVEN_MAX)
            continue;
        c->given[at] = resolve(&s->given[i], caller);
        map.to[i] = (int8_t)at;
    }
    for (unsigned i = 0; i < s->n_parts; i++) {
        int at = place_of(f, s, s->parts[i].at);
        if (at >= 0 && at < GIVEN_MAX)
            map.to[GIVEN_MAX + i] =
                (int8_t)add_part(c, at, s->parts[i].key, resolve(&s->given[GIVEN_MAX + i], caller));
    }
    for (unsigned i = 0; i < SLOTS_MAX; i++)
        if (map.to[i] >= 0)
            c->given[map.to[i]].holds = holds_of(s, i, &map, caller);
    for (unsigned i = 0; i < s->n_given; i++)
        if (map.to[i] >= 0)
            pass_parts_on(c, map.to[i], &s->given[i], caller);
}

static bool apply_to(struct summary_set *set, const struct function_summary *f,
                     const struct summary_site *s, uint32_t module,
                     const struct call_context *caller)
{
    struct call_context c = {.module = module,
                             .line = s->line,
                             .in_no_grad = s->in_no_grad || (caller && caller->in_no_grad),
                             .in_loop = s->in_loop || (caller && caller->in_loop),
                             .may_clear = s->may_clear || (caller && caller->may_clear),
                             .next = UINT32_MAX};
    if (!f || f->is_generator)
        return false;
    fill_slots(&c, f, s, caller);
    return add_context(set, f->path, &c);
}

/* The next method that replaces the one that self.m(...) names; *at as for summary_set_below. */
static const struct function_summary *next_override(const struct summary_set *set,
                                                    const struct summary_site *s, uint32_t *at)
{
    uint32_t owner = paths_parent(set->paths, s->callee), word = paths_word(set->paths, s->callee);
    for (const struct class_summary *c; (c = summary_set_below(set, owner, at));) {
        const struct function_summary *f =
            paths_parent(set->paths, c->path) == paths_parent(set->paths, owner)
                ? NULL /* the calls in its own file are known there */
                : summary_set_own_method(set, c, word);
        if (f)
            return f;
    }
    return NULL;
}

static bool apply_site(struct summary_set *set, const struct summary_site *s, uint32_t module,
                       const struct call_context *caller)
{
    bool changed = false;
    uint32_t at = UINT32_MAX;
    if (!s->is_own)
        return apply_to(set, summary_set__callee(set, s), s, module, caller);
    for (const struct function_summary *f; (f = next_override(set, s, &at));)
        changed |= apply_to(set, f, s, module, caller);
    return changed;
}

/* Does a call pass on what its caller gets from known calls? */
static bool is_passing_on(const struct summary_site *s, const struct node_table *called)
{
    if (s->caller == PATH_NONE || !node_table__get(called, s->caller))
        return false;
    for (unsigned i = 0; i < (unsigned)GIVEN_MAX + s->n_parts; i++)
        if ((i < s->n_given || i >= GIVEN_MAX) && s->given[i].parameter >= 0)
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

static const uint32_t made_types = 1u << TYPE_MODULE | 1u << TYPE_OPTIMIZER | 1u << TYPE_CRITERION |
                                   1u << TYPE_SCHEDULER | 1u << TYPE_SCALER;

/* Are objects of the class of the method f made by the __init__ of a base class in another file,
 * about whose parameters calls say something? */
static bool is_given_above(const struct summary_set *set, const struct function_summary *f)
{
    const struct function_summary *init =
        summary_set__init_above(set, paths_parent(set->paths, f->path));
    for (const struct call_context *c = init ? summary_set_contexts(set, init->path) : NULL; c;
         c = summary_set_context(set, c->next))
        for (unsigned i = 0; i < GIVEN_MAX; i++)
            if (made_types >> c->given[i].type & 1)
                return true;
    return false;
}

static bool is_below(const struct summary_set *set, uint32_t path, uint32_t module)
{
    return set->paths && paths_is_below(set->paths, path, module);
}

/* Is the effect on a module whose class the context knows: a mode, or an escape, which a call of a
 * method of that class seems to be as long as the class is not known? */
static bool tells_own_methods(const struct call_context *c, const struct summary_effect *e)
{
    static const uint64_t roles =
        UINT64_C(1) << ROLE_TRAIN | UINT64_C(1) << ROLE_EVAL | UINT64_C(1) << ROLE_ESCAPE;
    if (e->parameter >= GIVEN_MAX || e->n_path || !(e->may & roles))
        return false;
    const struct given_fact *g = &c->given[e->parameter];
    return g->type == TYPE_MODULE && g->class_path != PATH_NONE &&
           g->confidence >= CONFIDENCE_MEDIUM;
}

/* Is a parameter that the function calls a module of a known class? */
static bool tells_called(const struct function_summary *f, const struct call_context *c)
{
    for (unsigned i = 0; i < GIVEN_MAX; i++) {
        const struct given_fact *g = &c->given[i];
        if (f->called >> i & 1 && g->type == TYPE_MODULE && g->confidence >= CONFIDENCE_MEDIUM &&
            (g->class_path != PATH_NONE || g->made.gives != DOMAIN_ANY))
            return true;
    }
    return false;
}

/* Does a context say something that matters for what the function does: about a parameter, or that
 * the call is in a loop? */
static bool tells(const struct function_summary *f, const struct call_context *c)
{
    static const uint64_t telling =
        UINT64_C(1) << ROLE_FORWARD | UINT64_C(1) << ROLE_STEP | UINT64_C(1) << ROLE_ZERO |
        UINT64_C(1) << ROLE_COMPARE | UINT64_C(1) << ROLE_BACKWARD |
        UINT64_C(1) << ROLE_SCHEDULER_STEP | UINT64_C(1) << ROLE_CLIP | UINT64_C(1) << ROLE_KEEP;
    static const uint32_t types =
        1u << TYPE_MODULE | 1u << TYPE_OPTIMIZER | 1u << TYPE_CRITERION | 1u << TYPE_SCHEDULER;
    for (unsigned i = 0; i < SLOTS_MAX; i++) {
        enum domain d = c->given[i].domain;
        if (d != DOMAIN_ANY && d != DOMAIN_LOGITS && d != DOMAIN_OTHER)
            return true;
    }
    if (tells_called(f, c))
        return true;
    for (uint32_t i = 0; i < f->n_effects; i++) {
        const struct summary_effect *e = &f->effects[i];
        if (c->in_loop && e->may >> ROLE_STEP & 1 && !(e->may >> ROLE_ZERO & 1))
            return true; /* a loop of the caller repeats a step that nothing here prepares */
        if (tells_own_methods(c, e))
            return true;
        if (!(e->may & telling))
            continue;
        if (e->n_path && (e->is_field || e->parameter == 0) &&
            call_context_given(c, 0, e->path[0])->mode != MODE_UNKNOWN)
            return true; /* the mode of a field of the receiver */
        if (e->parameter >= GIVEN_MAX)
            continue;
        const struct given_fact *g =
            call_context_given(c, e->parameter, e->n_path ? e->path[0] : (uint32_t)WORD_NONE);
        if (types >> g->type & 1 && g->confidence >= CONFIDENCE_MEDIUM)
            return true;
    }
    return false;
}

bool summary_set_has_contexts(const struct summary_set *set, uint32_t module)
{
    return node_table__get(&set->told, module) != NULL;
}

static void mark(struct summary_set *set, uint32_t path)
{
    for (; path != PATH_NONE && !node_table__get(&set->told, path);
         path = paths_parent(set->paths, path))
        node_table__put(&set->told, &set->arena, path, 1);
}

/* Marks the modules of functions whose contexts matter, and all paths above them. */
static void mark_told(struct summary_set *set)
{
    for (size_t i = 0; i < set->sites.n; i++) {
        const struct summary_site *s = set->sites.at[i].site;
        uint32_t at = UINT32_MAX;
        if (s->is_own && next_override(set, s, &at))
            mark(set, s->callee);
    }
    for (size_t i = 0; i < set->functions.n; i++) {
        const struct function_summary *f = &set->functions.at[i];
        bool is_told = summary_set__filler(set, f) != NULL || is_given_above(set, f);
        for (const struct call_context *c = summary_set_contexts(set, f->path); c && !is_told;
             c = summary_set_context(set, c->next))
            is_told = tells(f, c);
        if (is_told)
            mark(set, f->path);
    }
}

void summary_set_find_contexts(struct summary_set *set)
{
    struct arena work;
    struct node_table called = {0};
    arena_init(&work);
    if (set->paths)
        summary_set__find_below(set);
    for (size_t i = 0; i < set->sites.n; i++) {
        const struct summary_site *s = set->sites.at[i].site;
        const struct function_summary *f = s->is_own ? NULL : summary_set__callee(set, s);
        uint32_t at = UINT32_MAX;
        if (f)
            node_table__put(&called, &work, f->path, 1);
        while (s->is_own && (f = next_override(set, s, &at)))
            node_table__put(&called, &work, f->path, 1);
    }
    bool changed = apply_all(set, &called, true);
    for (unsigned round = 1; changed && round < ROUNDS_MAX; round++)
        changed = apply_all(set, &called, false);
    arena_done(&work);
    if (set->paths)
        mark_told(set);
}

bool summary_set_witness(const struct summary_set *set, uint32_t module, uint32_t offset,
                         const struct py_parser *words, struct summary_witness *out)
{
    const struct function_summary *around = NULL;
    for (size_t i = 0; i < set->functions.n; i++) {
        const struct function_summary *f = &set->functions.at[i];
        if (is_below(set, f->path, module) && f->start <= offset &&
            (!around || f->start >= around->start))
            around = f;
    }
    if (!around)
        return false;
    const struct call_context *c = summary_set_contexts(set, around->path);
    uint32_t owner = paths_parent(set->paths, around->path),
             word = py_parser_find_word(words, STR("__init__"));
    bool is_method = !c && node_table__get(&set->by_class, owner) && word != WORD_NONE;
    if (is_method)
        c = summary_set_contexts(set, paths_find_word(set->paths, owner, word));
    if (c) {
        *out = (struct summary_witness){c->module, c->line, false};
        return true;
    }
    const struct class_summary *below = summary_set__filler(set, around);
    if (below)
        *out = (struct summary_witness){paths_parent(set->paths, below->path), below->line, true};
    return below != NULL;
}

static void hash_context(const struct summary_set *set, const struct call_context *c,
                         const struct py_parser *words, struct hasher *h)
{
    hasher_add_u64(h, (uint64_t)c->in_no_grad | (uint64_t)c->in_loop << 1 |
                          (uint64_t)c->may_clear << 2 | (uint64_t)c->n_parts << 8);
    for (unsigned i = 0; i < c->n_parts; i++) {
        hasher_add_u64(h, c->parts[i].at);
        hasher_add_str(h, py_parser_text(words, c->parts[i].key));
    }
    for (unsigned i = 0; i < (unsigned)GIVEN_MAX + c->n_parts; i++)
        summary_set__hash_given(set, &c->given[i], h);
}

static void hash_function(const struct summary_set *set, uint32_t path,
                          const struct py_parser *words, struct hasher *h)
{
    for (const struct call_context *c = summary_set_contexts(set, path); c;
         c = summary_set_context(set, c->next)) {
        summary_set__hash_path(set, path, h);
        hash_context(set, c, words, h);
    }
}

void summary_set_hash_contexts(const struct summary_set *set, uint32_t module,
                               const struct py_parser *words, struct hasher *h)
{
    for (size_t i = 0; i < set->functions.n; i++)
        if (is_below(set, set->functions.at[i].path, module))
            hash_function(set, set->functions.at[i].path, words, h);
    for (size_t i = 0; i < set->classes.n; i++) {
        uint32_t path = set->classes.at[i].path;
        if (!is_below(set, path, module))
            continue;
        const struct function_summary *init = summary_set__init_above(set, path);
        if (init)
            hash_function(set, init->path, words, h);
        summary_set__hash_below(set, path, words, h);
    }
}

/* ---- as text ---- */

static void dump_given(const struct summary_set *set, const struct given_fact *g, struct str name,
                       struct strbuf *out)
{
    static const char *const modes[] = {"", " train", " eval", " default", " mixed", " entry"};
    static const char *const roles[] = {"", " training data", " evaluation data"};
    static const char *const constants[] = {"",         " is None",   " is False",
                                            " is True", " is a text", " is an object"};
    if (g->type == TYPE_UNKNOWN && !g->mode && !g->role && !g->holds && !g->constant.kind)
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
    strbuf_adds(out, constants[g->constant.kind]);
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
            for (unsigned p = 0; p < c->n_parts; p++)
                dump_given(set, &c->given[GIVEN_MAX + p], py_parser_text(words, c->parts[p].key),
                           out);
        }
    }
}
