/*
 * Attribute corners: draws values of attributes.def for any node. The table promises that a value
 * is legal for some shape; checker and shape inference decide whether it is legal for these.
 */
#include "generate/attributes.h"
#include "generate/mutate/corner_p.h"

static bool fits(const struct attribute_row *c, const struct node *n)
{
    return c->is_corner && n->domain.n == 0 && n->fact && str_is(n->op_type, c->op_type) &&
           op_fact_attr(n->fact, c->attr);
}

/* Fills at[] with the table's rows for the node and returns their number. */
static uint32_t rows_of(const struct node *n, const struct attribute_row *at[static 8])
{
    uint32_t n_rows = 0;
    size_t n_all;
    const struct attribute_row *all = attribute_list(&n_all);
    for (size_t i = 0; i < n_all && n_rows < 8; i++) {
        if (fits(&all[i], n))
            at[n_rows++] = &all[i];
    }
    return n_rows;
}

bool corner__has(const struct node *n)
{
    const struct attribute_row *at[8];
    return rows_of(n, at) > 0;
}

/* One of the parts of a text, drawn. */
static struct str draw_part(struct graph_builder *b, const char *text, char separator)
{
    struct str rest = str_of(text), part = {0};
    uint32_t n = 0;
    while (str_split(&rest, separator, &part))
        n++;
    uint32_t wanted = builder__below(b, n);
    rest = str_of(text);
    for (uint32_t i = 0; i <= wanted; i++)
        str_split(&rest, separator, &part);
    return part;
}

static size_t parse_ints(struct str text, int64_t out[static 8])
{
    struct str part;
    size_t n = 0;
    while (n < 8 && str_split(&text, ' ', &part)) {
        if (str_to_i64(part, &out[n]))
            n++;
    }
    return n;
}

/* Sets one of the values that the table lists, or an axis. new_meaning: a value other than the
 * default. */
static bool set_listed(struct graph_builder *b, struct node *n, const struct attribute_row *c,
                       bool new_meaning)
{
    int64_t list[8], i = 0;
    double f = 0;
    if (c->kind != ATTRIBUTE_AXIS && !c->values[0])
        return false; /* PRESENT and free lists need a layer builder */
    struct str text =
        draw_part(b, c->values, c->kind == ATTRIBUTE_INTS || c->kind == ATTRIBUTE_AXES ? '|' : ' ');
    const struct attr *old = node_attr(n, c->attr);
    bool same = old || new_meaning; /* the default counts as the node's value */
    builder__note(b, "%s=" STR_FMT, c->attr, STR_ARG(text));
    switch (c->kind) {
    case ATTRIBUTE_FLOAT:
        if (!str_to_double(text, &f) || (old && old->kind == ATTR_FLOAT && old->f == (float)f))
            return false;
        node_set_float(b->m, n, c->attr, (float)f);
        return true;
    case ATTRIBUTE_INT:
        if (!str_to_i64(text, &i) || (same && node_int(n, c->attr, INT64_MIN) == i))
            return false;
        node_set_int(b->m, n, c->attr, i);
        return true;
    case ATTRIBUTE_STRING: {
        const char *value = str_dup(b->m->arena, text);
        if (same && str_is(node_string(n, c->attr, STR("")), value))
            return false;
        if (strcmp(c->attr, "auto_pad") == 0 && strcmp(value, "NOTSET") != 0)
            node_remove_attr(b->m, n, "pads");
        node_set_string(b->m, n, c->attr, value);
        return true;
    }
    case ATTRIBUTE_INTS:
    case ATTRIBUTE_AXES: {
        size_t n_list = parse_ints(text, list);
        if (old && old->kind == ATTR_INTS && old->n != n_list)
            return false;
        if (old && old->kind == ATTR_INTS && memcmp(old->ints, list, n_list * sizeof *list) == 0)
            return false;
        if (strcmp(c->attr, "pads") == 0) /* the two exclude each other */
            node_remove_attr(b->m, n, "auto_pad");
        node_set_ints(b->m, n, c->attr, list, n_list);
        return true;
    }
    case ATTRIBUTE_AXIS: {
        const struct shape *p = &b->g->values.at[n->inputs[0]].shape;
        if (!p->known || p->rank == 0)
            return false;
        i = builder__axis(b, p->rank, NULL);
        builder__note(b, "%lld", (long long)i);
        if (same && node_int(n, c->attr, INT64_MIN) == i)
            return false;
        node_set_int(b->m, n, c->attr, i);
        return true;
    }
    default:
        return false;
    }
}

/* The length of a list attribute of n: its present one, else one (pads: two) per spatial dim. */
static size_t list_length(const struct graph_builder *b, const struct node *n, const char *name)
{
    const struct attr *old = node_attr(n, name);
    const struct shape *x =
        n->n_inputs > 0 && n->inputs[0] != VALUE_NONE ? &b->g->values.at[n->inputs[0]].shape : NULL;
    if (old && old->kind == ATTR_INTS)
        return old->n;
    if (!x || !x->known || x->rank < 3)
        return 0;
    return (x->rank - 2) * (strstr(name, "pads") ? 2 : 1);
}

/* Sets a list of small numbers: one number repeated, or different ones. */
static bool set_drawn_list(struct graph_builder *b, struct node *n, const char *name)
{
    bool is_flag = strstr(name, "directions"); /* 0 or 1 */
    int64_t list[2 * TENSOR_RANK_MAX], low = is_flag || strstr(name, "pad") ? 0 : 1;
    size_t length = list_length(b, n, name);
    bool equal = builder__chance(b, 50);
    if (length == 0 || length > COUNT_OF(list))
        return false;
    for (size_t i = 0; i < length; i++)
        list[i] = equal && i > 0 ? list[0] : builder__between_i(b, low, is_flag ? 1 : low + 2);
    node_set_ints(b->m, n, name, list, length);
    return true;
}

static bool set_permutation(struct graph_builder *b, struct node *n, const char *name)
{
    int64_t perm[TENSOR_RANK_MAX];
    const struct shape *x = &b->g->values.at[n->inputs[0]].shape;
    if (!x->known || x->rank > TENSOR_RANK_MAX)
        return false;
    builder__permutation(b, x->rank, perm);
    node_set_ints(b->m, n, name, perm, x->rank);
    return true;
}

/* Sets the attribute of row c to a drawn value; false when n has that value already. */
static bool set_value(struct graph_builder *b, struct node *n, const struct attribute_row *c,
                      bool new_meaning)
{
    if (c->kind == ATTRIBUTE_INTS && !c->values[0])
        return set_drawn_list(b, n, c->attr);
    if (c->kind == ATTRIBUTE_PERM)
        return set_permutation(b, n, c->attr);
    if (c->kind == ATTRIBUTE_SIZE || c->kind == ATTRIBUTE_BLOCK) {
        node_set_int(b->m, n, c->attr,
                     builder__between_i(b, c->kind == ATTRIBUTE_BLOCK ? 0 : 1, 4));
        return true;
    }
    return set_listed(b, n, c, new_meaning);
}

bool corner__set(struct graph_builder *b, struct node *n, const char *attr)
{
    const struct attribute_row *at[2];
    uint32_t n_rows = 0;
    size_t n_all, note_n = b->note_n;
    const struct attribute_row *all = attribute_list(&n_all);
    for (size_t i = 0; i < n_all && n_rows < COUNT_OF(at); i++) {
        if (str_is(n->op_type, all[i].op_type) && strcmp(all[i].attr, attr) == 0)
            at[n_rows++] = &all[i];
    }
    if (n_rows > 0 && set_value(b, n, at[builder__below(b, n_rows)], false))
        return true;
    b->note_n = note_n;
    return false;
}

bool corner__change(struct graph_builder *b, uint32_t node)
{
    const struct attribute_row *at[8];
    struct node *n = &b->g->nodes.at[node];
    uint32_t n_rows = rows_of(n, at);
    for (int attempt = 0; attempt < 4 && n_rows > 0; attempt++) {
        size_t note_n = b->note_n;
        if (set_value(b, n, at[builder__below(b, n_rows)], true))
            return true;
        b->note_n = note_n;
    }
    return false;
}

void corner__set_some(struct graph_builder *b, int percent)
{
    const struct attribute_row *at[8];
    if (b->failed)
        return;
    struct node *n = graph_last_node(b->g);
    uint32_t n_rows = rows_of(n, at);
    for (uint32_t i = 0; i < n_rows; i++) {
        size_t note_n = b->note_n;
        if (builder__chance(b, percent) && !set_value(b, n, at[i], true))
            b->note_n = note_n;
    }
}
