/*
 * Does an error say that the engine lacks something? Targets classify the errors that they know
 * (OUTCOME_UNSUPPORTED); this file reads the texts of general errors. A "not supported" of a single
 * operator is believed: a false alarm is worse than a miss.
 */
#include "case/subject.h"
#include "judge/judge_p.h"

enum { ALWAYS, IF_EMPTY };

static const struct {
    const char *text;
    int condition;
} rows[] = {
#define UNSUPPORTED(text, condition) {text, condition},
#include "judge/unsupported.def"
#undef UNSUPPORTED
};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool contains(struct str s, const char *what)
{
    size_t n = strlen(what);
    for (size_t i = 0; i + n <= s.n; i++) {
        size_t k = 0;
        while (k < n && lower(s.at[i + k]) == what[k])
            k++;
        if (k == n)
            return true;
    }
    return false;
}

/* Does any input, constant or intermediate value have no elements? */
static bool holds_empty(const struct evidence *ev, uint32_t input_set)
{
    const struct tcase *c = ev->c;
    const struct model *m = case_model(c);
    if (!m || input_set >= c->n_input_sets)
        return false;
    const struct tensors *inputs = &c->input_sets[input_set];
    for (size_t i = 0; i < inputs->n; i++)
        if (inputs->at[i].tensor.n == 0)
            return true;
    const struct graph *g = m->graph;
    for (size_t i = 0; i < g->values.n; i++)
        if (g->values.at[i].initializer && g->values.at[i].initializer->n == 0)
            return true;
    if (!ev->refs || !ev->refs[input_set].usable)
        return false;
    const struct eval_result *r = &ev->refs[input_set].values;
    for (size_t i = 0; i < r->n_values; i++)
        if (r->values[i].dtype != DTYPE_UNDEFINED && r->values[i].n == 0)
            return true;
    return false;
}

bool judge__is_unsupported(const struct evidence *ev, const struct observation *x)
{
    if (x->outcome == OUTCOME_UNSUPPORTED)
        return true;
    if (x->outcome != OUTCOME_EXCEPTION && x->outcome != OUTCOME_INTERNAL_ERROR)
        return false;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if ((contains(x->message.raw, rows[i].text) || contains(x->message.type, rows[i].text)) &&
            (rows[i].condition == ALWAYS || holds_empty(ev, x->input_set)))
            return true;
    return false;
}
