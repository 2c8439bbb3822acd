/* Decides who is blamed. Must not know frameworks. Invariant: one witness alone blames nobody. */
#include "generate/foretell/blame.h"

struct witness {
    bool is_given, is_right;
};

static void hear(struct witness *w, const struct prediction *p, const struct call_outcome *real)
{
    if (!p->is_given)
        return;
    bool right = prediction_is_right(p, real);
    w->is_right = w->is_given ? w->is_right && right : right;
    w->is_given = true;
}

enum blame blame_of(const struct prediction all[PREDICTOR_COUNT], enum change_kind change,
                    const struct call_outcome *real)
{
    static const enum predictor statements[] = {PREDICTOR_types, PREDICTOR_elements,
                                                PREDICTOR_ranges, PREDICTOR_ranks};
    struct witness document = {0}, abstract = {0};
    if (outcome_kind_is_failure(real->is))
        return BLAME_CODE;
    if (real->is == OUTCOME_KIND_ABSTAINS)
        return BLAME_NOBODY;
    for (size_t i = 0; i < COUNT_OF(statements); i++)
        hear(&document, &all[statements[i]], real);
    if (change != CHANGE_DTYPE) /* an elementwise function may still have a type of its own */
        hear(&document, &all[PREDICTOR_elementwise], real);
    hear(&abstract, &all[PREDICTOR_fake], real);
    hear(&abstract, &all[PREDICTOR_standard], real);
    hear(&abstract, &all[PREDICTOR_traced], real);
    if (!abstract.is_given)
        return BLAME_NOBODY;
    if (abstract.is_right)
        return document.is_given && !document.is_right ? BLAME_DOCUMENT : BLAME_NOBODY;
    if (!document.is_given)
        return BLAME_OPEN;
    return document.is_right ? BLAME_ABSTRACT : BLAME_CODE;
}

const char *blame_name(enum blame b)
{
    static const char *const names[] = {[BLAME_NOBODY] = "nobody",
                                        [BLAME_DOCUMENT] = "document",
                                        [BLAME_ABSTRACT] = "abstract run",
                                        [BLAME_CODE] = "code",
                                        [BLAME_OPEN] = "open"};
    return names[b];
}
