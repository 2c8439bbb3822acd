/* The table of predicates: one row and one file each. The compiler of rules is given the list and
 * does not link it. */
#include "lint/predicate_p.h"

#define PREDICATE(id) extern const struct predicate_kind predicate__##id;
#include "lint/predicate.def"
#undef PREDICATE

static const struct predicate_kind *const kinds[] = {
#define PREDICATE(id) &predicate__##id,
#include "lint/predicate.def"
#undef PREDICATE
};

const struct predicate_kind *const *predicate__list(size_t *n)
{
    *n = COUNT_OF(kinds);
    return kinds;
}
