/* Shape of Einsum: the dims of the labels in its result. */
#include "onnx/einsum.h"
#include "onnx/infer/infer_p.h"

/* Merges what is known of a label with the size of one more dim that has it. */
static bool meet(struct dim *size, struct dim d, bool may_broadcast, struct err *e)
{
    if (may_broadcast && d.value == 1)
        return true;
    if (may_broadcast && size->value == 1) {
        *size = d;
        return true;
    }
    if (dim__differ(*size, d))
        return err_set(e, ERR_DATA, "a label stands for %lld and for %lld elements",
                       (long long)size->value, (long long)d.value);
    *size = dim__merge(*size, d);
    return true;
}

/* Einsum: one dim per label of the result. */
bool infer__einsum(struct infer *in, struct err *e)
{
    uint32_t n = in->n->n_inputs;
    uint32_t *ranks = arena_new_array(in->a, uint32_t, n);
    struct dim sizes[EINSUM_LABELS];
    bool seen[EINSUM_LABELS] = {false};
    struct einsum s;
    struct shape out = infer__unknown_shape();
    bool known = true;
    for (uint32_t i = 0; i < n; i++) {
        known = known && infer__shape(in, i)->known;
        ranks[i] = infer__shape(in, i)->rank;
    }
    if (known) {
        if (!einsum_parse(node_string(in->n, "equation", STR("")), ranks, n, in->a, &s, e))
            return false;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t d = 0; d < ranks[i]; d++) {
                uint8_t label = s.terms[i].at[d];
                struct dim dim = infer__shape(in, i)->dims[d];
                if (!seen[label])
                    sizes[label] = dim;
                else if (!meet(&sizes[label], dim, einsum_is_ellipsis(label), e))
                    return false;
                seen[label] = true;
            }
        out = infer__new_shape(in, s.output.n);
        for (uint32_t d = 0; d < s.output.n; d++)
            out.dims[d] = sizes[s.output.at[d]];
    }
    infer__set(in, 0, infer__dtype(in, 0), out);
    return true;
}
