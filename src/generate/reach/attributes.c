/* The table attributes.def as rows. */
#include "generate/attributes.h"

#include "base/compiler.h"

static const struct attribute_row rows[] = {
#define CORNER(op_type, attr, kind, values) {op_type, attr, ATTRIBUTE_##kind, values, true},
#define BUILT(op_type, attr, kind, values) {op_type, attr, ATTRIBUTE_##kind, values, false},
#include "generate/reach/attributes.def"
#undef CORNER
#undef BUILT
};

const struct attribute_row *attribute_list(size_t *n)
{
    *n = COUNT_OF(rows);
    return rows;
}
