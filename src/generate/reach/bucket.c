/*
 * Puts values of attributes into buckets: each value that attributes.def lists is one; lists and
 * counts have the few kinds that implementations distinguish.
 */
#include "generate/reach/reach_p.h"

static const char *const axis_names[] = {"negative", "0", "positive"};
static const char *const ints_names[] = {"plain", "equal", "unequal"};
static const char *const axes_names[] = {"one", "several", "negative"};
static const char *const size_names[] = {"1", "2", "larger"};
static const char *const block_names[] = {"0", "2", "other"};
static const char *const perm_names[] = {"identity", "reversed", "other"};

static const struct {
    const char *const *names;
    uint32_t n;
} named[] = {
    [ATTRIBUTE_AXIS] = {axis_names, COUNT_OF(axis_names)},
    [ATTRIBUTE_INTS] = {ints_names, COUNT_OF(ints_names)},
    [ATTRIBUTE_AXES] = {axes_names, COUNT_OF(axes_names)},
    [ATTRIBUTE_SIZE] = {size_names, COUNT_OF(size_names)},
    [ATTRIBUTE_BLOCK] = {block_names, COUNT_OF(block_names)},
    [ATTRIBUTE_PERM] = {perm_names, COUNT_OF(perm_names)},
    [ATTRIBUTE_PRESENT] = {NULL, 0},
};

static bool lists_values(const struct attribute_row *row)
{
    return row->kind == ATTRIBUTE_FLOAT || row->kind == ATTRIBUTE_INT ||
           row->kind == ATTRIBUTE_STRING;
}

const char *reach__bucket_name(const struct attribute_row *row, uint32_t i, struct arena *a)
{
    struct str rest = str_of(row->values), part;
    if (!lists_values(row))
        return i < named[row->kind].n ? named[row->kind].names[i] : NULL;
    for (uint32_t k = 0; str_split(&rest, ' ', &part); k++) {
        if (k == i)
            return str_dup(a, part);
    }
    return NULL;
}

static bool is_value(const struct attribute_row *row, struct str text, const struct attr *v)
{
    double f;
    int64_t i;
    if (row->kind == ATTRIBUTE_FLOAT)
        return v->kind == ATTR_FLOAT && str_to_double(text, &f) && (float)f == v->f;
    if (row->kind == ATTRIBUTE_INT)
        return v->kind == ATTR_INT && str_to_i64(text, &i) && i == v->i;
    return v->kind == ATTR_STRING && str_eq(text, v->s);
}

static uint32_t listed(const struct attribute_row *row, const struct attr *v)
{
    struct str rest = str_of(row->values), part;
    for (uint32_t i = 0; str_split(&rest, ' ', &part); i++) {
        if (is_value(row, part, v))
            return i;
    }
    return UINT32_MAX;
}

/* plain: all elements are what the standard takes for an absent list: 0 for paddings, else 1. */
static uint32_t ints_bucket(const struct attribute_row *row, const struct attr *v)
{
    int64_t plain = strstr(row->attr, "pad") || strstr(row->attr, "directions") ? 0 : 1;
    for (size_t i = 1; i < v->n; i++) {
        if (v->ints[i] != v->ints[0])
            return 2;
    }
    return v->n > 0 && v->ints[0] != plain;
}

static uint32_t axes_bucket(const struct attr *v)
{
    for (size_t i = 0; i < v->n; i++) {
        if (v->ints[i] < 0)
            return 2;
    }
    return v->n > 1;
}

static uint32_t perm_bucket(const struct attr *v)
{
    bool identity = true, reversed = true;
    for (size_t i = 0; i < v->n; i++) {
        identity &= v->ints[i] == (int64_t)i;
        reversed &= v->ints[i] == (int64_t)(v->n - 1 - i);
    }
    return identity ? 0 : reversed ? 1 : 2;
}

uint32_t reach__bucket(const struct attribute_row *row, const struct attr *v)
{
    bool is_list =
        row->kind == ATTRIBUTE_INTS || row->kind == ATTRIBUTE_AXES || row->kind == ATTRIBUTE_PERM;
    if (lists_values(row))
        return listed(row, v);
    if (row->kind == ATTRIBUTE_PRESENT || v->kind != (is_list ? ATTR_INTS : ATTR_INT))
        return UINT32_MAX;
    switch (row->kind) {
    case ATTRIBUTE_AXIS:
        return v->i < 0 ? 0 : v->i == 0 ? 1 : 2;
    case ATTRIBUTE_SIZE:
        return v->i == 1 ? 0 : v->i == 2 ? 1 : 2;
    case ATTRIBUTE_BLOCK:
        return v->i == 0 ? 0 : v->i == 2 ? 1 : 2;
    case ATTRIBUTE_INTS:
        return ints_bucket(row, v);
    case ATTRIBUTE_AXES:
        return axes_bucket(v);
    default:
        return perm_bucket(v);
    }
}
