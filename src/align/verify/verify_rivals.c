/*
 * Decides whether another symbol could be in the place of a paired one: each rival, a symbol of
 * either side that agrees with the paired one on most calls, must be an alias or be told apart by
 * stored calls, on most of which the pair agrees.
 */
#include "align/verify/verify_p.h"

enum { COMMON_MIN = 10, RIVALS_KEPT = 6 };

/* Does the first sentence of its document call it an alias? */
static bool says_alias(const struct symbol *s)
{
    return str_find(s->summary, STR("lias")) < s->summary.n;
}

static bool are_aliases(const struct alignment *t, const struct symbol *x, const struct symbol *y)
{
    return book_same_operator(&t->book, x->op, y->op) || says_alias(x) || says_alias(y);
}

/* How two symbols of one side differ on generic calls. */
struct apartness {
    const struct call *value, *outcome; /* calls with unlike values; on which only one returns */
    size_t common, equal;
    size_t for_pair, against; /* calls with unlike values on which the pair agrees, differs */
};

static void ask_pair(const struct match *m, const struct call *c, struct apartness *out)
{
    for (size_t i = 0; i < m->equals.n; i++)
        out->for_pair += m->equals.at[i] == c;
    for (size_t i = 0; i < m->differs.n; i++)
        out->against += m->differs.at[i].call == c;
}

static struct apartness compare(const struct alignment *t, const struct match *m,
                                const struct behaviour *mine, const struct behaviour *its)
{
    struct apartness out = {.common = 0};
    for (size_t i = 0; i < its->n; i++) {
        const struct call *c = m->a->is_class ? &t->bare[i] : &t->book.generic.at[i];
        bool both = mine->at[i] && its->at[i];
        out.common += both;
        out.equal += both && mine->typed[i] == its->typed[i];
        if (both && mine->typed[i] != its->typed[i]) {
            out.value = out.value ? out.value : c;
            ask_pair(m, c, &out);
        } else if (!both && (mine->at[i] || its->at[i]) && !out.outcome) {
            out.outcome = c;
        }
    }
    return out;
}

static void refuse(struct alignment *t, struct match *m, const char *why, struct str name)
{
    if (m->status > MATCH_EQUAL_WITH_ADAPTER)
        return;
    m->status = MATCH_UNVERIFIED;
    m->reason = str_of(arena_printf(t->a, "%s " STR_FMT, why, STR_ARG(name)));
}

static void look_at_side(struct alignment *t, const struct opened *x, const struct symbol *mine,
                         bool of_a, struct match *m)
{
    const struct behaviour *behaviour = &x->behaviours[mine - x->side->symbols.at];
    for (size_t i = 0; i < x->side->symbols.n && behaviour->n_ok >= COMMON_MIN; i++) {
        const struct symbol *other = &x->side->symbols.at[i];
        if (other == mine || other->is_class != mine->is_class || verify__is_in_place(other))
            continue;
        struct apartness apart = compare(t, m, behaviour, &x->behaviours[i]);
        if (apart.common < COMMON_MIN || apart.equal * 10 < apart.common * 8)
            continue;
        bool is_alias = !apart.value && are_aliases(t, mine, other);
        const struct call *by = apart.value || !match_is_named(m) ? apart.value : apart.outcome;
        if (!by && !is_alias)
            refuse(t, m, "no call tells it from", other->name);
        else if ((of_a || adapter_is_identity(m->adapter)) && apart.against > apart.for_pair)
            refuse(t, m, "the calls that distinguish them favour", other->name);
        if (m->rivals.n < RIVALS_KEPT)
            vec_push(&m->rivals, t->a, (struct rival){other, of_a, by, is_alias});
    }
}

void verify__rivals(struct alignment *t, const struct opened *a, const struct opened *b,
                    struct match *m)
{
    if (m->status > MATCH_EQUAL_WITH_ADAPTER)
        return;
    look_at_side(t, a, m->a, true, m);
    look_at_side(t, b, m->b, false, m);
}
