/*
 * The values that the standard allows for attributes of the operators that hunts generate
 * (reach/attributes.def). Mutation draws from them, reach counts them.
 */
#ifndef GENERATE_ATTRIBUTES_H
#define GENERATE_ATTRIBUTES_H

#include <stdbool.h>
#include <stddef.h>

enum attribute_kind {
    ATTRIBUTE_FLOAT,
    ATTRIBUTE_INT,
    ATTRIBUTE_STRING,
    ATTRIBUTE_AXIS,
    ATTRIBUTE_INTS,
    ATTRIBUTE_AXES,
    ATTRIBUTE_SIZE,
    ATTRIBUTE_BLOCK,
    ATTRIBUTE_PERM,
    ATTRIBUTE_PRESENT
};

/* An attribute has one row, or two if some of its values are set only by builders. */
struct attribute_row {
    const char *op_type, *attr;
    enum attribute_kind kind;
    const char *values; /* separated by blanks; lists by '|' */
    bool is_corner;     /* drawn for any node of the operator */
};

const struct attribute_row *attribute_list(size_t *n);

#endif
