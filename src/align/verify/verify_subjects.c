/*
 * Decides which symbols of the first side are paired, on which calls, and which other names count
 * as theirs. Must not know the other sides. Invariant: a name counts as a symbol's only if its
 * outputs were the same.
 */
#include "align/verify/verify_p.h"

enum {
    SAMPLES_MAX = 24,
    PLAIN_MAX = 24,
    RIVALS_MAX = 12,
    COMMON_MIN = 10,
    NAMES_MAX = 64,
    FEWER_MAX = 26
};

static const struct call *generic_call(const struct alignment *t, const struct symbol *s, size_t i)
{
    return s->is_class ? &t->bare[i] : &t->book.generic.at[i];
}

/* A class is constructed without arguments and called on one tensor; samples may do more. */
static bool takes_generic(const struct alignment *t, const struct symbol *s, size_t i)
{
    const struct call_part *args = &t->book.generic.at[i].args;
    return !s->is_class || args->n <= 2;
}

static bool fits(const struct symbol *s, const struct call *c)
{
    return s->is_class == (c->is_class || c->is_step);
}

/* Its calls of the tables, and those on which known pairs agree. */
static struct call_list good_calls(const struct alignment *t, const struct side *side,
                                   const struct symbol *s)
{
    struct calls samples = book_samples(&t->book, s);
    struct call_list out = {{0}};
    for (size_t k = 0; k < samples.n; k++)
        vec_push(&out.list, t->a, &samples.at[k]);
    for (size_t i = 0; i < t->known.n; i++) {
        const struct pair_file *f = &t->known.at[i];
        for (size_t k = 0; k < f->n && str_eq(f->b, side->name); k++)
            if (f->rows[k].is_verified && str_eq(f->rows[k].b, s->name))
                pair_agreed_calls(&f->rows[k], t->a, &out);
    }
    return out;
}

static bool is_proposed(const struct match_list *list, const struct symbol *b)
{
    for (size_t i = 0; i < list->list.n; i++)
        if (list->list.at[i].b == b)
            return true;
    return false;
}

void verify__want_symbols(struct alignment *t, struct opened *x, size_t n_generic,
                          bool with_samples, const struct match_list *proposed)
{
    for (size_t i = 0; i < x->side->symbols.n; i++) {
        const struct symbol *s = &x->side->symbols.at[i];
        struct call_list good = with_samples ? good_calls(t, x->side, s) : (struct call_list){{0}};
        if (proposed && x->side->is_slow && !is_proposed(proposed, s))
            continue;
        for (size_t k = 0; k < n_generic; k++)
            if (takes_generic(t, s, k))
                runs_want(x->runs, s->name, generic_call(t, s, k));
        for (size_t k = 0; k < good.list.n; k++)
            if (fits(s, good.list.at[k]))
                runs_want(x->runs, s->name, good.list.at[k]);
    }
}

static bool returned(const struct opened *x, const struct symbol *s, const struct call *c)
{
    const struct output *o = runs_output(x->runs, s->name, c);
    return o && o->kind == OUTPUT_OK && o->n;
}

static void take_call(struct alignment *t, struct subject *s, const struct call *c)
{
    size_t n = call_part_n_positional(&c->args);
    s->n_args = MAX(s->n_args, n);
    vec_push(&s->calls.list, t->a, c);
}

/* Is the call on values on which similar symbols differ? */
static bool tells_rivals_apart(const struct call *c)
{
    static const char *const draws[] = {"nan", "edge", "inf", "ties", "half", "zero", "neg"};
    for (size_t i = 0; i < c->args.n; i++) {
        struct tensor_spec s;
        const struct arg *v = &c->args.at[i].value;
        if (v->kind != ARG_TENSOR || !tensor_spec_parse(v->text, &s))
            continue;
        for (size_t k = 0; k < COUNT_OF(draws); k++)
            if (str_is(s.draw, draws[k]))
                return true;
    }
    return false;
}

static void take_generic(struct alignment *t, const struct opened *x, struct subject *s,
                         bool of_rivals, size_t most)
{
    size_t n = 0, at = 0;
    for (size_t k = 0; k < t->book.generic.n; k++)
        n += takes_generic(t, s->symbol, k) &&
             tells_rivals_apart(&t->book.generic.at[k]) == of_rivals &&
             returned(x, s->symbol, generic_call(t, s->symbol, k));
    size_t step = n / most + 1;
    for (size_t k = 0; k < t->book.generic.n; k++) {
        const struct call *c = generic_call(t, s->symbol, k);
        if (takes_generic(t, s->symbol, k) &&
            tells_rivals_apart(&t->book.generic.at[k]) == of_rivals && returned(x, s->symbol, c) &&
            at++ % step == 0)
            take_call(t, s, c);
    }
}

static void take_calls(struct alignment *t, const struct opened *x, struct subject *s)
{
    struct call_list good = good_calls(t, x->side, s->symbol);
    for (size_t k = 0; k < good.list.n && s->calls.list.n < SAMPLES_MAX; k++)
        if (fits(s->symbol, good.list.at[k]) && returned(x, s->symbol, good.list.at[k]))
            take_call(t, s, good.list.at[k]);
    take_generic(t, x, s, false, PLAIN_MAX);
    take_generic(t, x, s, true, RIVALS_MAX);
}

/* The lowest represents the operator: a function of a module, else a method, else a class. */
static unsigned rank_of(const struct symbol *s)
{
    bool is_method = str_starts(s->name, STR("torch.Tensor."));
    return s->is_class ? 2 : is_method ? 1 : 0;
}

bool verify__is_in_place(const struct symbol *s)
{
    return str_ends(s->name, STR("_"));
}

static bool is_subject(const struct alignment *t, const struct side *side, const struct symbol *s)
{
    if (verify__is_in_place(s))
        return false;
    if (rank_of(s) == 0 ||
        (s->is_class && book_samples(&t->book, s).n && map_get(&t->book.samples, s->name)))
        return true;
    for (size_t i = 0; i < side->symbols.n; i++) {
        const struct symbol *other = &side->symbols.at[i];
        if (other != s && str_eq(other->op, s->op) && !verify__is_in_place(other) &&
            rank_of(other) < rank_of(s))
            return false;
    }
    return true;
}

/* Names ---------------------------------------------------------------------------------------- */

/* Are the outputs of the other symbol the same on all calls on which both returned? */
static bool gave_the_same(const struct alignment *t, const struct opened *x,
                          const struct subject *s, const struct symbol *other)
{
    size_t common = 0;
    for (size_t i = 0; i < s->calls.list.n; i++) {
        struct arena own;
        const struct call *c = s->calls.list.at[i];
        const struct output *mine = runs_output(x->runs, s->symbol->name, c), *its = NULL;
        if (other->is_class == s->symbol->is_class) {
            its = runs_output(x->runs, other->name, c);
        } else if (other->is_class && c >= t->book.generic.at &&
                   c < t->book.generic.at + t->book.generic.n) {
            its = runs_output(x->runs, other->name, &t->bare[c - t->book.generic.at]);
        }
        if (!its || its->kind != OUTPUT_OK)
            continue;
        arena_init(&own);
        bool same = outputs_compare(mine, its, NULL, &own) <= AGREE_DTYPE;
        arena_done(&own);
        if (!same)
            return false;
        common++;
    }
    return common >= COMMON_MIN;
}

struct names {
    VEC(struct str) list;
};

static void add_names(struct names *out, const struct symbol *s, struct arena *a)
{
    for (size_t i = 0; i < s->names.n && out->list.n < NAMES_MAX; i++)
        vec_push(&out->list, a, s->names.at[i]);
}

/* Takes every n-th call, so that samples, plain calls and those for rivals keep their shares. */
static void take_fewer(struct alignment *t, struct subject *s)
{
    size_t n = s->calls.list.n, step = n / FEWER_MAX + 1;
    for (size_t i = 0; i < n; i += step)
        vec_push(&s->fewer.list, t->a, s->calls.list.at[i]);
}

static void take_names(struct alignment *t, const struct opened *x, struct subject *s)
{
    struct names all = {{0}};
    add_names(&all, s->symbol, t->a);
    for (size_t i = 0; i < x->side->symbols.n; i++) {
        const struct symbol *other = &x->side->symbols.at[i];
        if (other != s->symbol && str_eq(other->op, s->symbol->op) && gave_the_same(t, x, s, other))
            add_names(&all, other, t->a);
    }
    s->names = (struct text_array){all.list.at, all.list.n};
}

void verify__subjects(struct alignment *t, struct opened *x, bool all)
{
    t->subjects.n = 0;
    for (size_t i = 0; i < x->side->symbols.n; i++) {
        struct subject s = {.symbol = &x->side->symbols.at[i]};
        if (!all && !is_subject(t, x->side, s.symbol))
            continue;
        take_calls(t, x, &s);
        if (s.calls.list.n < 2)
            continue;
        take_fewer(t, &s);
        take_names(t, x, &s);
        vec_push(&t->subjects, t->a, s);
    }
}

const struct subject *verify__subject(const struct alignment *t, const struct symbol *s)
{
    for (size_t i = 0; i < t->subjects.n; i++)
        if (t->subjects.at[i].symbol == s)
            return &t->subjects.at[i];
    return NULL;
}

static struct behaviour behaviour_of(const struct alignment *t, const struct opened *x,
                                     const struct symbol *s, size_t n_generic)
{
    struct behaviour out = {.n = n_generic};
    uint64_t *at = arena_new_array(t->a, uint64_t, out.n);
    uint64_t *typed = arena_new_array(t->a, uint64_t, out.n);
    for (size_t i = 0; i < out.n; i++) {
        const struct output *o =
            takes_generic(t, s, i) ? runs_output(x->runs, s->name, generic_call(t, s, i)) : NULL;
        if (!o || o->kind != OUTPUT_OK || !o->n)
            continue;
        at[i] = o->digest | 1;
        typed[i] = o->typed | 1;
        out.n_ok++;
        bool is_new = true;
        for (size_t k = 0; k < i && is_new; k++)
            is_new = at[k] != at[i];
        out.n_distinct += is_new;
    }
    out.at = at;
    out.typed = typed;
    return out;
}

void verify__behaviours(struct alignment *t, struct opened *x, size_t n_generic)
{
    size_t n = x->side->symbols.n;
    x->behaviours = arena_new_array(t->a, struct behaviour, n);
    for (size_t i = 0; i < n; i++)
        x->behaviours[i] = behaviour_of(t, x, &x->side->symbols.at[i], n_generic);
}
