/* BitCast: the stored bits of each element read as another dtype of as many bits. */
#include "onnx/eval/kernel_p.h"

/* BitCast: x -> as x, of dtype `to`. */
bool kernel__bit_cast(struct kernel *k, struct err *e)
{
    const struct value *x = k->in[0];
    enum dtype to = (enum dtype)node_int(k->n, "to", 0);
    struct tensor t;
    struct value v;
    if (to <= DTYPE_UNDEFINED || to >= DTYPE_COUNT ||
        dtype_row(to)->n_bits != dtype_row(x->dtype)->n_bits)
        return err_set(e, ERR_DATA, "%s cannot be read as %s", dtype_name(x->dtype),
                       dtype_name(to));
    if (x->storage == STORAGE_STRING || to == DTYPE_STRING)
        return err_set(e, ERR_UNSUPPORTED, "strings");
    if (!x->exact && x->storage == STORAGE_F64)
        return err_set(e, ERR_UNSUPPORTED, "the bits of a rounded float are not defined");
    if (!kernel__output(k, 0, to, x->rank, x->dims, e) || !value_to_tensor(x, k->scratch, &t, e))
        return false;
    t.dtype = to;
    if (!value_from_tensor(&t, k->a, &v, e))
        return false;
    k->out[0].f = v.f;
    kernel__pass_taint(k, 0, 0);
    return true;
}
