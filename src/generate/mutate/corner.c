/*
 * Attribute corners: values of the rows of attributes.def that are drawn for any node. The table
 * promises that a value is legal for some shape; checker and shape inference decide whether it is
 * for these.
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

/* One of the parts of a text, drawn from s. */
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

/* Sets attribute c of n to a drawn value; false when it has that value already. */
static bool set_value(struct graph_builder *b, struct node *n, const struct attribute_row *c)
{
    int64_t list[8], i = 0;
    double f = 0;
    struct str text =
        draw_part(b, c->values, c->kind == ATTRIBUTE_INTS || c->kind == ATTRIBUTE_AXES ? '|' : ' ');
    const struct attr *old = node_attr(n, c->attr);
    builder__note(b, "%s=" STR_FMT, c->attr, STR_ARG(text));
    switch (c->kind) {
    case ATTRIBUTE_FLOAT:
        if (!str_to_double(text, &f) || (old && old->kind == ATTR_FLOAT && old->f == (float)f))
            return false;
        node_set_float(b->m, n, c->attr, (float)f);
        return true;
    case ATTRIBUTE_INT:
        if (!str_to_i64(text, &i) || node_int(n, c->attr, INT64_MIN) == i)
            return false;
        node_set_int(b->m, n, c->attr, i);
        return true;
    case ATTRIBUTE_STRING: {
        const char *value = str_dup(b->m->arena, text);
        if (str_is(node_string(n, c->attr, STR("")), value))
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
        if (strcmp(c->attr, "pads") == 0) /* one or the other */
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
        if (node_int(n, c->attr, INT64_MIN) == i)
            return false;
        node_set_int(b->m, n, c->attr, i);
        return true;
    }
    default: /* no row of these kinds is a corner */
        return false;
    }
}

bool corner__change(struct graph_builder *b, uint32_t node)
{
    const struct attribute_row *at[8];
    struct node *n = &b->g->nodes.at[node];
    uint32_t n_rows = rows_of(n, at);
    for (int attempt = 0; attempt < 4 && n_rows > 0; attempt++) {
        size_t note_n = b->note_n;
        if (set_value(b, n, at[builder__below(b, n_rows)]))
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
        if (builder__chance(b, percent) && !set_value(b, n, at[i]))
            b->note_n = note_n;
    }
}
