/* The list of patterns: patterns.def. */
#include "generate/mutate/pattern_p.h"

static const struct pattern patterns[] = {
#define PATTERN(name, fn, weight) {name, pattern__##fn, weight},
#include "generate/mutate/patterns.def"
#undef PATTERN
};

const struct pattern *pattern__list(size_t *n)
{
    *n = COUNT_OF(patterns);
    return patterns;
}
