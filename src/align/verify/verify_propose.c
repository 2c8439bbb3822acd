/*
 * Decides which pairs are tried: by the table of adapters, by the operator's name and its synonyms,
 * by places that call both, by descriptions of symbols that have no other partner, by equal
 * behaviour on generic calls. Must not know which turn out equal.
 */
#include "align/verify/descriptions.h"
#include "align/verify/verify_p.h"

enum { COMMON_MIN = 10, DISTINCT_MIN = 5, BEHAVIOURS_MAX = 3, DESCRIPTIONS_MAX = 2 };

struct proposing {
    struct alignment *t;
    const struct opened *a, *b;
    struct match_list *out;
};

static bool is_proposed(const struct match_list *list, const struct symbol *a,
                        const struct symbol *b)
{
    for (size_t i = 0; i < list->list.n; i++)
        if (list->list.at[i].a == a && list->list.at[i].b == b)
            return true;
    return false;
}

static void propose(struct proposing *p, const struct subject *s, const struct symbol *b,
                    enum match_source source)
{
    struct match m = {.a = s->symbol, .b = b, .source = source, .is_slow = p->b->side->is_slow};
    if (is_proposed(p->out, s->symbol, b))
        return;
    candidates_make(&p->t->book, s->symbol, b, s->n_args, p->t->a, &m.candidates);
    vec_push(&p->out->list, p->t->a, m);
}

static void by_table(struct proposing *p, const struct subject *s)
{
    for (size_t i = 0; i < p->t->book.proposals.n; i++) {
        const struct proposal_row *row = &p->t->book.proposals.at[i];
        const struct symbol *from = side_symbol(p->a->side, row->a);
        const struct symbol *to = side_symbol(p->b->side, row->b);
        if (from == s->symbol && to)
            propose(p, s, to, MATCH_BY_TABLE);
    }
}

static void by_name(struct proposing *p, const struct subject *s)
{
    for (size_t i = 0; i < p->b->side->symbols.n; i++) {
        const struct symbol *b = &p->b->side->symbols.at[i];
        if (!b->is_class && book_same_operator(&p->t->book, s->symbol->op, b->op))
            propose(p, s, b, MATCH_BY_NAME);
    }
}

static void by_pivot(struct proposing *p, const struct subject *s, const struct site_list *sites)
{
    for (size_t i = 0; i < sites->list.n; i++)
        if (sites->list.at[i].a == s->symbol)
            propose(p, s, sites->list.at[i].b, MATCH_BY_PIVOT);
}

static void by_text(struct proposing *p, const struct subject *s, const struct descriptions *d)
{
    const struct symbol *nearest[DESCRIPTIONS_MAX];
    if (p->out->list.n && p->out->list.at[p->out->list.n - 1].a == s->symbol)
        return;
    size_t n = descriptions_nearest(d, s->symbol, nearest, DESCRIPTIONS_MAX);
    for (size_t i = 0; i < n; i++)
        propose(p, s, nearest[i], MATCH_BY_TEXT);
}

static void by_behaviour(struct proposing *p, const struct subject *s)
{
    size_t n = 0;
    struct behaviour mine = p->a->behaviours[s->symbol - p->a->side->symbols.at];
    for (size_t i = 0; i < p->b->side->symbols.n && mine.n_distinct >= DISTINCT_MIN; i++) {
        const struct behaviour *its = &p->b->behaviours[i];
        size_t common = 0, equal = 0;
        for (size_t k = 0; k < mine.n && its->n_distinct >= DISTINCT_MIN; k++) {
            common += mine.at[k] && its->at[k];
            equal += mine.at[k] && mine.at[k] == its->at[k];
        }
        if (common >= COMMON_MIN && equal * 10 >= common * 9 && n++ < BEHAVIOURS_MAX)
            propose(p, s, &p->b->side->symbols.at[i], MATCH_BY_BEHAVIOUR);
    }
}

/* The same symbol on another backend: there is nothing to adapt. */
static void by_identity(struct proposing *p, const struct subject *s)
{
    const struct symbol *b = side_symbol(p->b->side, s->symbol->name);
    struct match m = {
        .a = s->symbol, .b = b, .source = MATCH_BY_NAME, .is_slow = p->b->side->is_slow};
    if (!b)
        return;
    candidates_identity(p->t->a, &m.candidates);
    vec_push(&p->out->list, p->t->a, m);
}

bool verify__propose(struct alignment *t, const struct opened *a, const struct opened *b,
                     struct match_list *out, struct err *e)
{
    struct proposing p = {t, a, b, out};
    struct site_list sites = {{0}};
    struct descriptions descriptions;
    if (verify__is_same_library(a, b)) {
        for (size_t i = 0; i < t->subjects.n; i++)
            by_identity(&p, &t->subjects.at[i]);
        return true;
    }
    if (!verify__sites(t, a, b, &sites, e))
        return false;
    descriptions_of(b->side, t->a, &descriptions);
    for (size_t i = 0; i < t->subjects.n; i++) {
        const struct subject *s = &t->subjects.at[i];
        by_table(&p, s);
        by_name(&p, s);
        by_pivot(&p, s, &sites);
        by_text(&p, s, &descriptions);
    }
    return true;
}

void verify__propose_alike(struct alignment *t, const struct opened *a, const struct opened *b,
                           struct match_list *out)
{
    struct proposing p = {t, a, b, out};
    for (size_t i = 0; i < t->subjects.n; i++)
        by_behaviour(&p, &t->subjects.at[i]);
}
