/*
 * Which effects of a function depend on a parameter that its conditions test: `if clear:
 * optimizer.zero_grad()`, net.train(training). A call that gives a literal then has them or has
 * them not.
 *
 * Invariant: an effect has a guard only if all that causes it stands under the same test, and no
 * function of another file may cause it too.
 */
#include "python/summary_p.h"

enum { GUARDS_MAX = 32 };

/* ---- flags ---- */

static void add_flag(const struct types *k, uint32_t scope, struct function_summary *f,
                     unsigned parameter)
{
    for (unsigned i = 0; i < f->n_flags; i++)
        if (f->flags[i].parameter == parameter)
            return;
    if (f->n_flags < FLAGS_MAX && parameter < GIVEN_MAX)
        f->flags[f->n_flags++] =
            (struct flag){(uint8_t)parameter, types__default(k, scope, parameter)};
}

static void add_flags_in(const struct types *k, uint32_t scope, struct function_summary *f,
                         uint32_t condition)
{
    const struct tree *t = k->names->tree;
    struct flag_test test;
    condition = tree_bare(t, condition);
    if (types__flag_test(k, scope, condition, &test)) {
        add_flag(k, scope, f, test.parameter);
    } else if (tree_kind(t, condition) == PY_BOOLEAN) {
        uint32_t sides[] = {tree_child(t, condition, FIELD_LEFT),
                            tree_child(t, condition, FIELD_RIGHT)};
        for (size_t i = 0; i < COUNT_OF(sides); i++)
            if (sides[i] && types__flag_test(k, scope, sides[i], &test))
                add_flag(k, scope, f, test.parameter);
    }
}

/* The argument of a call that says whether it sets one mode or another; 0: none. */
static uint32_t mode_argument(const struct types *k, uint32_t call)
{
    const struct api_row *row = api_row_at(k->api, types_call(k, call).api);
    bool is_decided = row->role_if_false != ROLE_NONE || row->traits & TRAIT_FLAGGED_GRAD;
    return is_decided ? types__mode_argument(k, row, call, NULL) : 0;
}

static void find_flags(const struct types *k, uint32_t scope, struct function_summary *f)
{
    const struct cfg *c = types_cfg(k, scope);
    for (uint32_t i = 0; i < c->n_steps; i++) {
        uint32_t node = c->steps[i].node;
        if (c->steps[i].kind == STEP_TEST)
            add_flags_in(k, scope, f, node);
        else if (c->steps[i].kind == STEP_EVAL && tree_kind(k->names->tree, node) == PY_CALL &&
                 mode_argument(k, node))
            add_flags_in(k, scope, f, mode_argument(k, node));
    }
}

/* ---- guards ---- */

static bool is_equal(const struct flag_test *a, const struct flag_test *b)
{
    return a->kind == b->kind && a->parameter == b->parameter && a->is_negated == b->is_negated &&
           a->text == b->text;
}

/* May a function of another file have effects on the object that only linking knows? */
static bool is_linked(const struct function_summary *f, uint32_t effect)
{
    for (uint32_t c = 0; c < f->n_calls; c++)
        for (unsigned i = 0; i < f->calls[c].n_arguments; i++)
            if (f->calls[c].argument[i] == effect + 1)
                return true;
    return false;
}

/* The test on which an event depends: its own argument, for net.train(flag), or a branch around
 * it. */
static bool test_of(const struct types *k, uint32_t scope, const struct types_event *e,
                    struct flag_test *out)
{
    const struct tree *t = k->names->tree;
    if (e->role != ROLE_MODE)
        return types__guard_of(k, scope, e->node, out);
    uint32_t argument =
        tree_kind(t, e->node) == PY_CALL && !e->is_deep ? mode_argument(k, e->node) : 0;
    return argument && types__flag_test(k, scope, argument, out);
}

/* Does the guarded role happen to the object on every path that the test leaves? */
static bool is_certain(const struct types *k, uint32_t scope, uint32_t object,
                       const struct summary_guard *g)
{
    struct types_event_list events = types_events(k, scope);
    struct arena work;
    arena_init(&work);
    struct step_set steps = {arena_new_array(&work, uint32_t, events.n), 0};
    for (size_t i = 0; i < events.n; i++) {
        const struct types_event *e = &events.at[i];
        bool counts = e->role == g->role && e->object == object && (!e->is_deep || e->is_must);
        if (counts && (!steps.n || steps.at[steps.n - 1] != e->step))
            steps.at[steps.n++] = e->step;
    }
    struct flow_query q = {.avoid = &steps,
                           .loop = LOOP_NONE,
                           .dead = g->sets_mode ? NULL : types__dead_if(k, scope, &g->test, &work)};
    bool certain = steps.n && flow_path(types_flow(k, scope), &q) == TRUTH_FALSE;
    arena_done(&work);
    return certain;
}

/* The guard that all events with the role on the object share. */
static bool find_guard(const struct types *k, uint32_t scope, uint32_t object,
                       struct summary_guard *g)
{
    struct types_event_list events = types_events(k, scope);
    bool found = false;
    for (size_t i = 0; i < events.n; i++) {
        const struct types_event *e = &events.at[i];
        struct flag_test test;
        if (e->role != g->role || e->object != object)
            continue;
        if (!test_of(k, scope, e, &test) || (found && !is_equal(&test, &g->test)))
            return false;
        g->test = test;
        found = true;
    }
    g->sets_mode = g->role == ROLE_MODE;
    g->is_certain = found && is_certain(k, scope, object, g);
    return found;
}

void summary__add_flags(const struct types *k, uint32_t scope, struct function_summary *f)
{
    struct summary_guard list[GUARDS_MAX];
    if (f->is_opaque || !f->n_effects)
        return;
    find_flags(k, scope, f);
    for (uint32_t i = 0; f->n_flags && i < f->n_effects; i++) {
        const struct summary_effect *e = &f->effects[i];
        if (e->object == OBJECT_NONE || is_linked(f, i))
            continue;
        for (unsigned role = 1; role < N_ROLES && f->n_guards < GUARDS_MAX; role++) {
            list[f->n_guards] = (struct summary_guard){.effect = i, .role = (uint8_t)role};
            if (e->may >> role & 1 && role != ROLE_ESCAPE && role != ROLE_KEEP &&
                find_guard(k, scope, e->object, &list[f->n_guards]))
                f->n_guards++;
        }
    }
    f->guards = arena_dup(k->arena, list, f->n_guards * sizeof *list);
}
