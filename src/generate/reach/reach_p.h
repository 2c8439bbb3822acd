/* Shared by listing the cells (reach.c) and finding those that a model meets (meet.c): the keys of
 * cells. */
#ifndef GENERATE_REACH_REACH_P_H
#define GENERATE_REACH_REACH_P_H

#include "generate/attributes.h"
#include "generate/reach.h"
#include "onnx/op.h"

/* An attribute of the operator that has values to count. Bucket 0: absent. */
struct reach_attr {
    const struct attribute_row *row;
    uint32_t at;     /* index in the operator's fact */
    uint32_t bucket; /* of the row's first value */
};

struct reach_op {
    const struct op_fact *fact; /* at REACH_OPSET; NULL: not counted */
    VEC(struct reach_attr) attrs;
    bool is_neighbour;
};

enum { REACH_OUTPUT = 128 }; /* added to the number of an output, where inputs count from 0 */

/* kind, row of the operator, attribute or input, value: 4, 9, 8 and 11 bits. */
static inline uint32_t reach__key(enum reach_kind kind, size_t row, uint32_t at, uint32_t value)
{
    return (uint32_t)kind << 28 | (uint32_t)row << 19 | at << 11 | value;
}

/* The number of the first input (or REACH_OUTPUT + output) whose type is this type parameter. */
uint32_t reach__type_at(const struct op_fact *f, const char *type);

/* The number of the row's value that v is, or UINT32_MAX. */
uint32_t reach__bucket(const struct attribute_row *row, const struct attr *v);
/* The name of value number i; NULL: there are no more. */
const char *reach__bucket_name(const struct attribute_row *row, uint32_t i, struct arena *a);

enum reach_size { REACH_ZERO, REACH_ONE, REACH_TWO, REACH_ODD, REACH_EVEN, REACH_SIZES };
enum reach_form { REACH_INITIALIZER, REACH_CONSTANT, REACH_COMPUTED, REACH_FORMS };

/* Has input i of the operator forms to count? Not the main data input. */
bool reach__has_forms(const struct op *op, const struct op_fact *f, uint32_t i);

#endif
