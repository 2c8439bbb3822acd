/* The table of lint formats: one row each. No format depends on it. */
#include "report/lint_p.h"

static const struct lint_format formats[] = {
#define LINT_FORMAT(name, fn) {name, fn},
#include "report/lint_format.def"
#undef LINT_FORMAT
};

const struct lint_format *lint_format_find(struct str name)
{
    for (size_t i = 0; i < COUNT_OF(formats); i++)
        if (str_is(name, formats[i].name))
            return &formats[i];
    return NULL;
}
