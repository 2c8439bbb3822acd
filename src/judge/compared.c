/* Shared by exact and float comparison: the numbers of a tensor, and a failing finding. */
#include "judge/compare_p.h"

#include <string.h>

const double *compare__doubles(const struct tensor *t, struct arena *a)
{
    double *out = arena_new_array(a, double, t->n);
    if (t->dtype == DTYPE_FLOAT) {
        for (size_t i = 0; i < t->n; i++) {
            float f;
            memcpy(&f, (const char *)t->data + i * sizeof f, sizeof f);
            out[i] = f;
        }
    } else if (t->dtype == DTYPE_DOUBLE) {
        memcpy(out, t->data, t->n * sizeof *out);
    } else if (t->dtype != DTYPE_STRING) {
        for (size_t i = 0; i < t->n; i++)
            out[i] = tensor_get_double(t, i);
    }
    return out;
}

void compare__fail(const struct compared *c, enum wrong_kind wrong, size_t element,
                   struct finding *out)
{
    out->decision = DECISION_FAIL;
    out->wrong = wrong;
    out->element = element;
    out->expected = c->r[element];
    out->observed = c->x[element];
}
