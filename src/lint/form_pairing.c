/* pairing: the terminal activation of the value that an argument receives (through names, the
 * model's forward and the index it is taken at). Binds the node that applies the activation. */
#include "lint/form_p.h"

struct pairing_form {
    uint8_t where, of;
    int64_t at;
    uint32_t *names;
    size_t n_names;
    uint64_t domains;
    bool given; /* compare the criterion's expectation with what the argument gives */
};

static bool compile(struct compile *c, const struct json *j, void **out, struct err *e)
{
    struct pairing_form *f = arena_new(c->arena, struct pairing_form);
    *out = f;
    f->at = json_get_i64(j, "at", -1);
    if (!compile__capture(c, j, "pairing", &f->where, e) ||
        !compile__need_capture(c, j, "of", &f->of, e) ||
        !compile__words(c, j, "name", &f->names, &f->n_names, e) ||
        !compile__domains(c, j, "domain", &f->domains, e))
        return false;
    return f->domains || compile__fail(c, j, e, "pairing needs \"domain\"");
}

static uint32_t value_of(const struct match *m, const struct pairing_form *f)
{
    const struct tree *t = &m->file->tree;
    uint32_t node = capture__node(m, f->of), found = 0;
    if ((f->at < 0 && !f->n_names) || tree_kind(t, node) != PY_CALL)
        return node;
    if (f->at >= 0)
        found = tree_argument(t, node, (unsigned)f->at, NULL);
    for (size_t i = 0; i < f->n_names && !found; i++)
        found = tree_keyword(t, node, f->names[i], NULL);
    return found;
}

static enum truth run(struct match *m, const void *data, const struct rest *r)
{
    const struct pairing_form *f = data;
    uint32_t node = value_of(m, f), where = 0;
    if (!node)
        return TRUTH_FALSE;
    enum domain d = kinds_domain(&m->file->kinds, node, &where);
    struct capture at = capture_of_node(where ? where : node);
    if (d == DOMAIN_ANY)
        return TRUTH_FALSE;
    return (f->domains >> d) & 1 ? match_bind(m, f->where, &at, CONFIDENCE_HIGH, TRUTH_TRUE, r)
                                 : TRUTH_FALSE;
}

static const char *const keys[] = {"pairing", "of", "at", "name", "domain"};
const struct form form__pairing = {"pairing", keys, COUNT_OF(keys), compile, run};
